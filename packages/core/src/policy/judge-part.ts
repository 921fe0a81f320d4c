// How the parts of a call are noted down while it is judged.
import { type ResolvedPath, resolvePath } from '../match/path/resolve-path.ts'
import { type Meter, pathWork, spend } from '../match/shell/meter.ts'
import type { Span } from '../match/shell/shell-analysis.ts'
import { formatPlace } from '../verdict/place.ts'
import type { CompiledPermissions } from './compile-rules.ts'
import { showHidden } from './hidden-character.ts'
import type { JudgePlaces } from './judge-places.ts'
import type { JudgeContext, PartJudgement, ToolCall } from './judgement.ts'
import type { Rule } from './rule.ts'

/** One call on the input, and all that is needed to judge it. */
export interface JudgeInput {
  readonly call: ToolCall
  readonly compiled: CompiledPermissions
  readonly context: JudgeContext
  readonly places: JudgePlaces
  /** The work of this decision, over all its parts. */
  readonly meter: Meter
}

const RESOLVE_WORK = 60

/** Where a path written at `base` leads. */
export function resolveAt({ context }: JudgeInput, path: string, base: string): ResolvedPath {
  spend(RESOLVE_WORK + pathWork(base.length + path.length))
  return resolvePath(path, base === context.cwd ? context : { ...context, cwd: base })
}

/** What a part is, before anything is said about it. */
export interface JudgedPart {
  readonly what: PartJudgement['what']
  readonly source: string
  readonly normal: string
  readonly span: Span | null
  readonly path?: { readonly lexical: string; readonly real: string | null }
}

export type Finding = Pick<PartJudgement, 'decision' | 'reason'> & { readonly match?: 'must' | 'may'; readonly rule?: Rule }

/** Written out field by field: this runs for every part of every call, and a spread costs more than the decision. */
export function judged(part: JudgedPart, finding: Finding): PartJudgement {
  const { what, source, normal, span, path } = part
  const { decision, match = null, rule = null, reason } = finding
  return path === undefined
    ? { what, source, normal, span, decision, match, rule, reason }
    : { what, source, normal, span, decision, match, rule, reason, path }
}

/** A deny or ask rule spoke. `may`: only for some values, which asks whatever the rule says. */
export function forbidden(part: JudgedPart, rule: Rule, match: 'must' | 'may'): PartJudgement {
  const decision = match === 'must' && rule.effect === 'deny' ? 'deny' : 'ask'
  return judged(part, { decision, match, rule, reason: forbiddenReason(part, rule, match) })
}

export function allowed(part: JudgedPart, rule: Rule): PartJudgement {
  return judged(part, { decision: 'allow', match: 'must', rule, reason: `allowed by ${describeRule(rule)}` })
}

export function uncovered(part: JudgedPart, why?: string): PartJudgement {
  return judged(part, { decision: 'default', reason: why ?? `no rule covers ${quoteShort(part.source)}` })
}

export function describeRule(rule: Rule): string {
  return rule.place === undefined ? `the rule ${rule.text}` : `the rule ${rule.text} (${formatPlace(rule.place)})`
}

/** The same for inside brackets. */
function nameRule({ text, place }: Rule): string {
  return place === undefined ? `rule ${text}` : `rule ${text}, ${formatPlace(place)}`
}

/** Needs neither cutting nor another spelling; most are. */
const PLAIN = /^[!-~](?:[!-~]| (?=[!-~])){0,118}$/

export function quoteShort(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  const line = showHidden(text.trim().replace(/[^\S\r]+|\r\n/g, ' '))
  return `"${line.length > 120 ? `${line.slice(0, 117)}...` : line}"`
}

function forbiddenReason(part: JudgedPart, rule: Rule, match: 'must' | 'may'): string {
  if (match === 'must' && rule.message !== undefined) return `${rule.message} (${nameRule(rule)})`
  const what = quoteShort(part.source)
  if (match === 'may') return `${what} depends on values known only when it runs, and for some of them ${describeRule(rule)} holds`
  if (rule.effect === 'ask') return `${what} needs a person's consent by ${describeRule(rule)}`
  return `${what} is forbidden by ${describeRule(rule)}. Reach the goal another way, or tell the person that this step is theirs.`
}
