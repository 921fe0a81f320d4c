// A shell command: every unit and every file effect that the analysis found, each against its own rules.
// Invariant: only what a rule covers for every value of its unknown parts is allowed.
import { compileGlob, globMatches } from '../match/glob.ts'
import { analyzeCommand } from '../match/shell/analyze-command.ts'
import { WorkSpent } from '../match/shell/meter.ts'
import type { ShellAnalysis, ShellProblem } from '../match/shell/shell-analysis.ts'
import { type EffectIndex, hasCommandRules, hasRulesForCode, rulesFor } from './compile-rules.ts'
import { findHidden, showHidden } from './hidden-character.ts'
import { judgeEffects } from './judge-effect.ts'
import { allowed, forbidden, type JudgedPart, type JudgeInput, judged, uncovered } from './judge-part.ts'
import { judgePatches } from './judge-patch.ts'
import { findRefused, judgeUnits } from './judge-unit.ts'
import { judgeWorkplace } from './judge-workplace.ts'
import type { Judgement, PartJudgement } from './judgement.ts'
import { protectReckoned } from './protect-reckoned.ts'
import type { Rule } from './rule.ts'

export interface JudgedCommand {
  readonly parts: readonly PartJudgement[]
  readonly parser: Judgement['parser']
}

export function judgeCommand(input: JudgeInput, command: string, cwd: string): JudgedCommand {
  try {
    return judgeRemembered(input, command, cwd)
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error
    return { parts: [judgeProblem(input, spentProblem(command), command)], parser: 'refused' }
  }
}

function spentProblem(command: string): ShellProblem {
  return { kind: 'refused', message: new WorkSpent().message, span: { start: 0, end: command.length } }
}

function judgeRemembered(input: JudgeInput, command: string, cwd: string): JudgedCommand {
  const { commands } = input.context
  const known = commands?.recall(input.call.tool, cwd, command) ?? null
  if (known !== null && known.judged !== null) return known.judged
  // What is remembered counts like what is read: the answer must not depend on it.
  const before = input.meter.spent
  const analysis = known?.analysis ?? analyze(input, command, cwd)
  const work = known?.work ?? input.meter.spent - before
  if (known !== null) input.meter.spend(work)
  if (commands === undefined || known !== null) return judgeAnalysis(input, analysis, command)
  const { files } = commands
  const wasUsed = files.used
  files.used = false
  const found = judgeAnalysis(input, analysis, command)
  commands.keep({ analysis, work, judged: files.used ? null : found })
  files.used ||= wasUsed
  return found
}

function analyze({ context, meter }: JudgeInput, command: string, cwd: string): ShellAnalysis {
  const { root, home, harmlessEnv = NONE, ownFiles = NONE } = context
  return analyzeCommand(command, { cwd, root, home, harmlessEnv, ownFiles }, meter)
}

const NONE: readonly string[] = []

function judgeAnalysis(input: JudgeInput, analysis: ShellAnalysis, command: string): JudgedCommand {
  const parser = parserVerdict(analysis)
  const problems = analysis.problems.length === 0 ? [] : analysis.problems.map(problem => judgeProblem(input, problem, command))
  if (parser === 'refused') return { parts: problems, parser }
  const found = problems
  for (const part of judgeHidden(command)) found.push(part)
  for (const part of judgeLine(input, command)) found.push(part)
  const spelledOut = found.length === 0 ? findLine(input, input.compiled.allow, command) : null
  if (spelledOut !== null) return { parts: [allowed(wholeLine(command), spelledOut)], parser }
  const refused = input.context.stopsAtRefusal === true ? findRefused(input, analysis.units) : null
  if (refused !== null) return { parts: [...found, refused], parser }
  for (const part of judgeUnits(input, analysis.units)) found.push(part)
  const reckoned = input.context.selfProtection ? protectReckoned(analysis.units, command, input.places.protectedPaths) : null
  if (reckoned !== null) found.push(judged(wholeLine(command), reckoned))
  const place = input.context.selfProtection ? judgeWorkplace(input, analysis) : null
  if (place !== null) found.push(place)
  for (const part of judgeEffects(input, analysis)) found.push(part)
  if (analysis.patches?.length) found.push(...judgePatches(input, analysis))
  return { parts: found, parser }
}

function parserVerdict({ problems }: ShellAnalysis): 'ok' | 'partial' | 'refused' {
  if (problems.some(problem => problem.kind === 'refused')) return 'refused'
  return problems.some(problem => problem.kind === 'parse-error') ? 'partial' : 'ok'
}

function judgeProblem(input: JudgeInput, problem: ShellProblem, command: string): PartJudgement {
  const { span, message } = problem
  const source = command.slice(span.start, span.end) || command
  const part: JudgedPart = { what: 'unit', source, normal: source, span }
  switch (problem.kind) {
    case 'refused':
      return judged(part, { decision: 'deny', reason: `this command ${message}` })
    case 'parse-error':
      return judged(part, { decision: 'ask', reason: `this is not valid shell text: ${message}` })
    // It may be what any rule about commands or files forbids; naming one of them would be a guess.
    case 'opaque':
      return hasRulesForCode(input.compiled, input.call.tool) ? askAboutCode(input, part, message) : uncovered(part, message)
    case 'unclear':
      return uncovered(part, message)
  }
}

/** A pattern about files alone matches the files that a call names, not those that unread code may touch: a hook on `.env` is not for that. */
function askAboutCode({ compiled, call }: JudgeInput, part: JudgedPart, reason: string): PartJudgement {
  return judged(part, { decision: 'ask', reason, ...(hasCommandRules(compiled, call.tool) && { match: 'may' }) })
}

function judgeHidden(command: string): PartJudgement[] {
  const at = findHidden(command)
  if (at === -1) return []
  const part: JudgedPart = { what: 'call', source: command, normal: command, span: { start: at, end: at + 1 } }
  const reason = `the command holds a character that hides or reorders what it shows (${showHidden(command.slice(at, at + 1))})`
  return [judged(part, { decision: 'ask', reason })]
}

/** Deny and ask rules about a whole line (`curl * | sh`). */
function judgeLine(input: JudgeInput, command: string): PartJudgement[] {
  const rule = findLine(input, input.compiled.deny, command) ?? findLine(input, input.compiled.ask, command)
  return rule === null ? [] : [forbidden(wholeLine(command), rule, 'must')]
}

function findLine(input: JudgeInput, index: EffectIndex, command: string): Rule | null {
  for (const { commands } of rulesFor(index, input.call.tool)) {
    if (commands === null || commands.scripts.length === 0) continue
    const line = oneLine(command)
    const found = commands.scripts.find(({ rule }) => lineMatches(rule, line))
    if (found !== undefined) return found.rule
  }
  return null
}

/** An allow rule about a whole line covers exactly the line it spells out: its stars could hide any command. */
function lineMatches(rule: Rule, line: string): boolean {
  if (rule.spec?.kind !== 'command') return false
  const pattern = oneLine(rule.spec.pattern)
  if (rule.effect === 'allow') return pattern === line
  return globMatches(compileGlob(pattern, { question: rule.dialect === 'genesis' }), line)
}

function wholeLine(command: string): JudgedPart {
  return { what: 'call', source: command, normal: oneLine(command), span: { start: 0, end: command.length } }
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
