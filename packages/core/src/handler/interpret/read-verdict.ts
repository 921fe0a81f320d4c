// The verdict inside an answer, in whichever vocabulary: every place that can hold one is read and the strictest counts.
import { isObject } from '../../value/is-object.ts'
import { allow, ask, deny, none, stricter, type Verdict } from '../../verdict/verdict.ts'
import type { JsonObject } from './parse-answer.ts'

export interface VerdictReading {
  readonly verdict: Verdict
  /** A value that no vocabulary knows, named. Empty when all is well. */
  readonly problems: readonly string[]
}

type Meaning = 'allow' | 'deny' | 'ask' | 'none'

const WORDS: ReadonlyMap<string, Meaning> = new Map([
  ['allow', 'allow'],
  ['approve', 'allow'],
  ['deny', 'deny'],
  ['block', 'deny'],
  ['ask', 'ask'],
  // Claude's "decide later": the call must not run before somebody has.
  ['defer', 'ask'],
  ['modify', 'none'],
  ['continue', 'none'],
  ['none', 'none'],
])

export function readVerdict(answer: JsonObject): VerdictReading {
  const nested = isObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {}
  const claims = [...claimsOf(nested, 'hookSpecificOutput.'), ...claimsOf(answer, ''), ...elicitationClaim(nested)]
  const fallback = textOf(answer.reason) ?? textOf(nested.reason) ?? textOf(answer.stopReason) ?? textOf(answer.stop_reason)
  let verdict = none()
  const problems: string[] = []
  for (const claim of claims) {
    const meaning = typeof claim.value === 'string' ? WORDS.get(claim.value) : undefined
    if (meaning === undefined) problems.push(`${claim.key} is ${show(claim.value)}, not one of ${claim.expected}`)
    else verdict = stricter(verdict, toVerdict(meaning, claim.reason ?? fallback))
  }
  return { verdict, problems }
}

/** One place of an answer that speaks of the verdict. */
interface Claim {
  readonly key: string
  readonly value: unknown
  readonly reason: string | undefined
  readonly expected: string
}

function claimsOf(answer: JsonObject, prefix: string): Claim[] {
  const claims: Claim[] = []
  const add = (key: string, value: unknown, reason: unknown, expected: string) => {
    if (value !== undefined && value !== null) claims.push({ key: prefix + key, value, reason: textOf(reason), expected })
  }
  add('permissionDecision', answer.permissionDecision, answer.permissionDecisionReason, 'allow, deny, ask, defer')
  const { decision } = answer
  if (isObject(decision)) add('decision.behavior', decision.behavior ?? 'missing', decision.message, 'allow, deny')
  else add('decision', decision, answer.reason, 'allow, deny, ask, block, approve')
  add(
    'permission',
    answer.permission,
    answer.agent_message ?? answer.agentMessage ?? answer.user_message ?? answer.userMessage,
    'allow, deny, ask',
  )
  if (isObject(answer.Reject)) add('Reject', 'deny', answer.Reject.reason, 'an object with a reason')
  else add('Reject', answer.Reject, undefined, 'an object with a reason')
  if (answer.cancel === true) add('cancel', 'deny', answer.errorMessage, 'true, false')
  return claims
}

/** The answer to an MCP server's question: declining is a deny, accepting is what happens anyway. */
function elicitationClaim({ action }: JsonObject): Claim[] {
  if (action !== 'decline' && action !== 'cancel') return []
  return [{ key: 'hookSpecificOutput.action', value: 'deny', reason: `the hook answered ${action}`, expected: 'accept, decline, cancel' }]
}

function toVerdict(meaning: Meaning, reason: string | undefined): Verdict {
  switch (meaning) {
    case 'allow':
      return allow(reason)
    case 'ask':
      return ask(reason)
    case 'deny':
      return deny(reason ?? 'Blocked by hook')
    case 'none':
      return none()
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

const SHOWN = 80

function show(value: unknown): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
