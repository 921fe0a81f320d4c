// Hooks first, then permissions, once, on the input as the hooks left it: one verdict for the call.
// Invariant: permissions are judged whatever the hooks allowed; only a deny of a hook makes judging needless.
import { gateOf } from '../event/table.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import { callOfEvent } from '../policy/call-of-event.ts'
import type { Judgement, ToolCall } from '../policy/judgement.ts'
import { mentionedFiles } from '../policy/mentioned-files.ts'
import { ask, stricter, type Verdict } from '../verdict/verdict.ts'
import type { Fire } from './engine.ts'
import type { FireOptions } from './engine-parts.ts'
import type { FireResult } from './fire-result.ts'

export type JudgeCall = (call: ToolCall, event: HookEvent) => Judgement

export interface GuardedCall {
  readonly verdict: Verdict
  readonly fired: FireResult
  /** null: the event asks for nothing that rules could judge, or a hook had denied it already for reasons of its own. */
  readonly judgement: Judgement | null
}

/** No promise where no hook has to be waited for. Never rejects. */
export function guardCall(fire: Fire, event: HookEvent, judge: JudgeCall, options?: FireOptions): GuardedCall | Promise<GuardedCall> {
  const fired = fire.now(event, options)
  return fired instanceof Promise ? fired.then(result => judgeFired(result, judge)) : judgeFired(fired, judge)
}

function judgeFired(fired: FireResult, judge: JudgeCall): GuardedCall {
  const call = gateOf(fired.event.name) === 'tool' ? callOfEvent(fired.event) : null
  if (call === null) return judgeMentions(fired, judge)
  if (fired.verdict.decision === 'deny') return { verdict: fired.verdict, fired, judgement: denyingJudgement(fired, call, judge) }
  const judgement = judge(call, fired.event)
  const verdict = stricter(judgement.verdict, fired.verdict)
  const { definitionChange } = fired.event.fields
  // The model was told what the tool does by somebody who has changed it since: whatever rules allow, a person looks first.
  return { verdict: typeof definitionChange === 'string' ? stricter(ask(definitionChange, 'hook'), verdict) : verdict, fired, judgement }
}

/** A prompt that names a file which a rule keeps from being read is not sent: its agent would read the file without asking. */
function judgeMentions(fired: FireResult, judge: JudgeCall): GuardedCall {
  const mentioned =
    fired.event.name === 'UserPromptSubmit' && fired.verdict.decision !== 'deny' ? mentionedFiles(fired.event.fields.prompt) : NONE
  for (const call of mentioned) {
    const judgement = judge(call, fired.event)
    if (judgement.verdict.decision === 'deny' && judgement.rule !== null) return { verdict: judgement.verdict, fired, judgement }
  }
  return { verdict: fired.verdict, fired, judgement: null }
}

const NONE: readonly ToolCall[] = []

/** Which rule it was, where a hook denied because the rules do. */
function denyingJudgement(fired: FireResult, call: ToolCall, judge: JudgeCall): Judgement | null {
  if (fired.isByRules !== true) return null
  const judgement = judge(call, fired.event)
  return judgement.verdict.decision === 'deny' ? judgement : null
}
