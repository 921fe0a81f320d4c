// One call against one set of rules: deny if a deny rule must match any part; else ask if a deny or ask rule may match;
// allow only if every part is covered; else what the policy says about the uncovered.

import { resolvePath } from '../match/path/resolve-path.ts'
import { Meter, useMeter, WorkSpent } from '../match/shell/meter.ts'
import { toolFamily } from '../match/tool/tool-family.ts'
import { type ToolField, toolFields } from '../match/tool/tool-fields.ts'
import { allow, ask, deny, none, type Verdict } from '../verdict/verdict.ts'
import type { CompiledPermissions } from './compile-rules.ts'
import { rulesFor } from './compile-rules.ts'
import { declaredAs, declaredCalls, joinDeclared } from './judge-declared.ts'
import { judgeOther } from './judge-other.ts'
import { forbidden, type JudgedPart, type JudgeInput, judged } from './judge-part.ts'
import { judgeFile } from './judge-path.ts'
import { judgePattern } from './judge-pattern.ts'
import { placesOf } from './judge-places.ts'
import { type JudgedCommand, judgeCommand } from './judge-shell.ts'
import { judgeName, judgeParameters, judgeText, judgeUrl } from './judge-text.ts'
import type { JudgeContext, Judgement, PartJudgement, ToolCall } from './judgement.ts'

export function judge(call: ToolCall, compiled: CompiledPermissions, context: JudgeContext, meter: Meter = new Meter()): Judgement {
  const input: JudgeInput = { call, compiled, context, places: placesOf(context), meter }
  const before = useMeter(meter)
  try {
    return judgeWithin(input)
  } finally {
    useMeter(before)
  }
}

/** What takes more work than there is, is not read to its end, and nothing that was not read is allowed. */
function judgeWithin(input: JudgeInput): Judgement {
  try {
    return judgeMetered(input)
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error
    return conclude(input.compiled, [judged(wholeCall(input.call), { decision: 'deny', reason: `this call ${error.message}` })], 'refused')
  }
}

function judgeMetered(input: JudgeInput): Judgement {
  const { call, compiled } = input
  let { parts, parser } = judgeParts(input)
  for (const declared of declaredAs(call, compiled)) {
    const known = declaredCalls(call, declared).map(each => judgeParts({ ...input, call: each }))
    parts = joinDeclared(
      parts,
      known.flatMap(each => each.parts),
      declared.isTrusted,
    )
    parser = known.find(each => each.parser !== null)?.parser ?? parser
  }
  return conclude(compiled, parts, parser)
}

interface Parts {
  readonly parts: readonly PartJudgement[]
  readonly parser: Judgement['parser']
}

function judgeParts(input: JudgeInput): Parts {
  const { call } = input
  const { fields, problems, directory } = toolFields(call.tool, call.input)
  const parts: PartJudgement[] = []
  judgeEveryCall(input, parts)
  judgeParameters(input, parts)
  for (const reason of problems) parts.push(judged(wholeCall(call), { decision: 'ask', reason }))
  let parser: Judgement['parser'] = null
  if (toolFamily(call.tool) === null) parts.push(...judgeOther(input, fields, directory))
  else if (fields.length === 0 && problems.length === 0) parts.push(judgeName(input))
  else {
    for (const field of fields) {
      const found = judgeField(input, field, directory)
      parts.push(...found.parts)
      parser = found.parser ?? parser
    }
  }
  return { parts, parser }
}

/** Deny and ask rules without an argument speak before anything is read. */
function judgeEveryCall({ compiled, call }: JudgeInput, parts: PartJudgement[]): void {
  for (const { any } of rulesFor(compiled.deny, call.tool)) if (any !== null) parts.push(forbidden(wholeCall(call), any, 'must'))
  for (const { any } of rulesFor(compiled.ask, call.tool)) if (any !== null) parts.push(forbidden(wholeCall(call), any, 'must'))
}

function wholeCall(call: ToolCall): JudgedPart {
  return { what: 'call', source: call.tool, normal: call.tool, span: null }
}

function judgeField(input: JudgeInput, field: ToolField, directory: string | undefined): JudgedCommand {
  const { context, call } = input
  if (field.kind === 'command') {
    return judgeCommand(input, field.text, directory === undefined ? context.cwd : resolvePath(directory, context).lexical)
  }
  if (field.kind === 'url') return { parts: [judgeUrl(input, field.text)], parser: null }
  if (field.kind === 'text') return { parts: [judgeText(input, field.text)], parser: null }
  if (field.kind === 'pattern') return { parts: judgePattern(input, field.text, field.base), parser: null }
  const part = { what: 'call', source: field.text, span: null } as const
  const use = { tool: call.tool, access: field.access, path: field.text, base: context.cwd, needsAllow: true, part }
  return { parts: [judgeFile(input, use)], parser: null }
}

function conclude(compiled: CompiledPermissions, parts: readonly PartJudgement[], parser: Judgement['parser']): Judgement {
  const decidedBy = strictest(parts, compiled.default)
  const rule = decidedBy?.rule ?? null
  return { verdict: verdictOf(decidedBy, compiled), rule, decidedBy, parts, parser, policyHash: compiled.hash }
}

function strictest(parts: readonly PartJudgement[], byDefault: CompiledPermissions['default']): PartJudgement | null {
  const rank = (part: PartJudgement): number => {
    switch (part.decision) {
      case 'deny':
        return part.rule === null ? 6 : 7
      case 'ask':
        return part.match === 'must' ? 5 : 4
      case 'default':
        return byDefault === 'deny' ? 6 : byDefault === 'allow' ? 1 : 3
      case 'allow':
        return 2
      case 'neutral':
        return 0
    }
  }
  let best: PartJudgement | null = null
  for (const part of parts) if (best === null || rank(part) > rank(best)) best = part
  return best
}

function verdictOf(part: PartJudgement | null, permissions: CompiledPermissions): Verdict {
  const { default: byDefault } = permissions
  if (part === null) return byDefault === 'none' ? none() : allow('nothing would run')
  switch (part.decision) {
    case 'deny':
      return deny(part.reason)
    case 'ask':
      return ask(part.reason, part.match === 'must' ? 'rule' : 'may-match')
    case 'allow':
      return allow(part.reason)
    // Where rules speak of little, what needs none is the agent's own affair too.
    case 'neutral':
      return byDefault === 'none' ? none() : allow(part.reason)
    case 'default':
      return byDefault === 'ask'
        ? ask(withTrust(part.reason, permissions), 'default')
        : byDefault === 'deny'
          ? deny(withTrust(part.reason, permissions))
          : byDefault === 'allow'
            ? allow(part.reason)
            : none()
  }
}

/** Where a rule that would allow it may stand in a file that nobody has trusted, or that a team overrules, that is the first thing to know. */
function withTrust(reason: string, { untrusted: [untrusted], overruled: [overruled] }: CompiledPermissions): string {
  if (untrusted !== undefined)
    return `${reason}; ${untrusted} is not trusted on this machine as it is now, so what only it allows does not hold: belay policy trust`
  return overruled === undefined ? reason : `${reason}; the team's policy holds on this machine, so what ${overruled} allows does not`
}
