// Why a call was decided as it was, as data: every part with its place, verdict, rule and normal form.
import { formatPlace } from '../verdict/place.ts'
import type { Decision } from '../verdict/verdict.ts'
import type { CompiledPermissions } from './compile-rules.ts'
import { judge } from './judge.ts'
import type { JudgeContext, Judgement, PartJudgement, ToolCall } from './judgement.ts'

export interface ExplainedPart {
  readonly what: PartJudgement['what']
  readonly source: string
  readonly normal: string
  readonly start: number | null
  readonly end: number | null
  readonly decision: PartJudgement['decision']
  readonly match: PartJudgement['match']
  readonly rule: ExplainedRule | null
  readonly reason: string
  readonly lexicalPath: string | null
  readonly realPath: string | null
}

export interface ExplainedRule {
  readonly id: string
  readonly text: string
  readonly effect: string
  /** `file:line:column`, where the rule came from a file. */
  readonly place: string | null
}

export interface Explanation {
  readonly tool: string
  /** The command, when there is one; spans point into it. */
  readonly command: string | null
  readonly decision: Decision
  readonly reason: string
  readonly rule: ExplainedRule | null
  readonly parts: readonly ExplainedPart[]
  readonly parser: 'ok' | 'partial' | 'refused' | null
  readonly policyHash: string
}

export function explainCall(call: ToolCall, compiled: CompiledPermissions, context: JudgeContext): Explanation {
  return explainJudgement(call, judge(call, compiled, context))
}

export function explainJudgement(call: ToolCall, { verdict, rule, decidedBy, parts, parser, policyHash }: Judgement): Explanation {
  const command = call.input.command
  return {
    tool: call.tool,
    command: typeof command === 'string' ? command : null,
    decision: verdict.decision,
    // What the agent would read, where it would read anything.
    reason: ('reason' in verdict ? verdict.reason : undefined) ?? decidedBy?.reason ?? 'nothing would run',
    rule: explainRule(rule),
    parts: parts.map(explainPart),
    parser,
    policyHash,
  }
}

function explainRule(rule: PartJudgement['rule']): ExplainedRule | null {
  if (rule === null) return null
  return { id: rule.id, text: rule.text, effect: rule.effect, place: rule.place === undefined ? null : formatPlace(rule.place) }
}

function explainPart(part: PartJudgement): ExplainedPart {
  return {
    what: part.what,
    source: part.source,
    normal: part.normal,
    start: part.span?.start ?? null,
    end: part.span?.end ?? null,
    decision: part.decision,
    match: part.match,
    rule: explainRule(part.rule),
    reason: part.reason,
    lexicalPath: part.path?.lexical ?? null,
    realPath: part.path?.real ?? null,
  }
}
