// What a hook that failed, crashed or ran out of time means (docs/semantics.md, section 6): its `fail`, as far as the event lets it count.
import type { FailureRule } from '../event/event-spec.ts'
import type { FailMode } from '../hook/hook-definition.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import { ask, deny, none, type Verdict } from '../verdict/verdict.ts'

export type LostRun = Extract<HandlerRun, { kind: 'failed' | 'cancelled' }>

export function judgeFailure(hook: RegisteredHook, run: LostRun, rule: FailureRule): Verdict {
  const fail = failOf(hook, run, rule)
  if (rule === 'continue' || fail === 'open') return none()
  if (fail === 'closed')
    return deny(`${tellLoss(hook, run)}${hook.fail === 'closed' ? ', and it is set to refuse then' : ''}. ${NOT_JUDGED}`)
  return rule === 'by-fail' ? ask(`${tellLoss(hook, run)}, and it is set to ask then`) : none()
}

/** The model reads this: it can do nothing about the hook, and another spelling of the call would not help. */
const NOT_JUDGED = 'So nothing was judged: do not look for a way around it, tell the person.'

/** A function that answered, only not in words that mean something, wanted to decide: before a tool that is a deny, unless the hook says otherwise. */
function failOf({ definition, fail }: RegisteredHook, run: LostRun, rule: FailureRule): FailMode {
  const isMalformed = run.kind === 'failed' && run.code === 'BELAY_HOOK_ANSWER'
  return isMalformed && rule === 'by-fail' ? (definition.fail ?? 'closed') : fail
}

/** What the person is told where the event goes on in spite of it; null: it is the caller who gave up. */
export function warnOfLoss(hook: RegisteredHook, run: LostRun): string | null {
  return run.kind === 'cancelled' && run.why === 'aborted' ? null : `${explainLoss(hook, run)}, and what it watches went on without it`
}

/** For the person: with what to do about it. */
function explainLoss(hook: RegisteredHook, run: LostRun): string {
  return run.kind === 'cancelled' ? tellLoss(hook, run) : nameHook(hook, run.why)
}

function tellLoss(hook: RegisteredHook, run: LostRun): string {
  return run.kind === 'cancelled' ? `hook "${hook.label}" ${CANCELLED[run.why]}` : nameHook(hook, run.what ?? run.why)
}

function nameHook({ label }: RegisteredHook, what: string): string {
  return what.includes(label) ? what : `hook "${label}" failed: ${what}`
}

const CANCELLED = { timeout: 'ran out of time', aborted: 'was cancelled', stopped: 'was stopped by a person' } as const
