// A shell command: every unit and every file effect that the analysis found, each against its own rules.
// Invariant: only what a rule covers for every value of its holes is allowed.
import { compileGlob, globMatches } from '../match/glob.ts'
import { analyzeCommand } from '../match/shell/analyze-command.ts'
import type { ShellAnalysis, ShellProblem } from '../match/shell/shell-analysis.ts'
import { type EffectIndex, hasCommandRules, rulesFor } from './compile-rules.ts'
import { findHidden, showHidden } from './hidden-character.ts'
import { judgeEffects } from './judge-effect.ts'
import { allowed, type Bench, forbidden, judged, type Subject, uncovered } from './judge-part.ts'
import { judgePatches } from './judge-patch.ts'
import { judgeUnits } from './judge-unit.ts'
import type { Judgement, PartJudgement } from './judgement.ts'
import type { Rule } from './rule.ts'

export interface JudgedCommand {
  readonly parts: readonly PartJudgement[]
  readonly parser: Judgement['parser']
}

export function judgeCommand(bench: Bench, command: string, cwd: string): JudgedCommand {
  const { commands } = bench.context
  const known = commands?.recall(bench.call.tool, cwd, command) ?? null
  if (known !== null && known.judged !== null) return known.judged
  const analysis = known?.analysis ?? analyze(bench, command, cwd)
  if (commands === undefined || known !== null) return judgeAnalysis(bench, analysis, command)
  const { files } = commands
  const wasUsed = files.used
  files.used = false
  const found = judgeAnalysis(bench, analysis, command)
  commands.keep({ analysis, judged: files.used ? null : found })
  files.used ||= wasUsed
  return found
}

function analyze({ context: { root, home, harmlessEnv = NONE, ownFiles = NONE } }: Bench, command: string, cwd: string): ShellAnalysis {
  return analyzeCommand(command, { cwd, root, home, harmlessEnv, ownFiles })
}

const NONE: readonly string[] = []

function judgeAnalysis(bench: Bench, analysis: ShellAnalysis, command: string): JudgedCommand {
  const parser = parserVerdict(analysis)
  const problems = analysis.problems.map(problem => judgeProblem(bench, problem, command))
  if (parser === 'refused') return { parts: problems, parser }
  const found = [...problems, ...judgeHidden(command), ...judgeLine(bench, command)]
  const spelledOut = found.length === 0 ? findLine(bench, bench.compiled.allow, command) : null
  if (spelledOut !== null) return { parts: [allowed(wholeLine(command), spelledOut)], parser }
  for (const part of judgeUnits(bench, analysis.units)) found.push(part)
  for (const part of judgeEffects(bench, analysis)) found.push(part)
  if (analysis.patches?.length) found.push(...judgePatches(bench, analysis))
  return { parts: found, parser }
}

function parserVerdict({ problems }: ShellAnalysis): 'ok' | 'partial' | 'refused' {
  if (problems.some(problem => problem.kind === 'refused')) return 'refused'
  return problems.some(problem => problem.kind === 'parse-error') ? 'partial' : 'ok'
}

function judgeProblem(bench: Bench, problem: ShellProblem, command: string): PartJudgement {
  const { span, message } = problem
  const source = command.slice(span.start, span.end) || command
  const subject: Subject = { what: 'unit', source, normal: source, span }
  switch (problem.kind) {
    case 'refused':
      return judged(subject, { decision: 'deny', reason: `this command ${message}` })
    case 'parse-error':
      return judged(subject, { decision: 'ask', reason: `this is not valid shell text: ${message}` })
    // It may be what any rule about commands forbids; naming one of them would be a guess.
    case 'opaque':
      return hasCommandRules(bench.compiled, bench.call.tool)
        ? judged(subject, { decision: 'ask', match: 'may', reason: message })
        : uncovered(subject, message)
    case 'unclear':
      return uncovered(subject, message)
  }
}

function judgeHidden(command: string): PartJudgement[] {
  const at = findHidden(command)
  if (at === -1) return []
  const subject: Subject = { what: 'call', source: command, normal: command, span: { start: at, end: at + 1 } }
  const reason = `the command holds a character that hides or reorders what it shows (${showHidden(command.slice(at, at + 1))})`
  return [judged(subject, { decision: 'ask', reason })]
}

/** Deny and ask rules about a whole line (`curl * | sh`). */
function judgeLine(bench: Bench, command: string): PartJudgement[] {
  const rule = findLine(bench, bench.compiled.deny, command) ?? findLine(bench, bench.compiled.ask, command)
  return rule === null ? [] : [forbidden(wholeLine(command), rule, 'must')]
}

function findLine(bench: Bench, index: EffectIndex, command: string): Rule | null {
  for (const { commands } of rulesFor(index, bench.call.tool)) {
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

function wholeLine(command: string): Subject {
  return { what: 'call', source: command, normal: oneLine(command), span: { start: 0, end: command.length } }
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
