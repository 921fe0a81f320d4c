// What a hook that failed, crashed or ran out of time means (semantics section 6): its `fail`, as far as the event lets it count.
import type { FailureRule } from '../event/event-spec.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import { ask, deny, none, type Verdict } from '../verdict/verdict.ts'

export type LostRun = Extract<HandlerRun, { kind: 'failed' | 'cancelled' }>

export function judgeFailure(hook: RegisteredHook, run: LostRun, rule: FailureRule): Verdict {
  if (rule === 'continue' || hook.fail === 'open') return none()
  if (hook.fail === 'closed') return deny(`${explainLoss(hook, run)}, and it is set to refuse then`)
  return rule === 'by-fail' ? ask(`${explainLoss(hook, run)}, and it is set to ask then`) : none()
}

function explainLoss(hook: RegisteredHook, run: LostRun): string {
  if (run.kind === 'cancelled') return `hook "${hook.label}" ${run.why === 'timeout' ? 'ran out of time' : 'was cancelled'}`
  return run.why.includes(hook.label) ? run.why : `hook "${hook.label}" failed: ${run.why}`
}
