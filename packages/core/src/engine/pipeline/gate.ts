// What events pass on their way: hooks, and permissions where a call is asked for. In process, or in the daemon: the pipeline cannot tell.
import { gateOf } from '../../event/table.ts'
import { recordsEvidence } from '../../handler/builtin/evidence-capture.ts'
import type { HookEvent } from '../../hook/hook-event.ts'
import type { Engine } from '../engine.ts'
import type { FireOptions, HandlerParts } from '../engine-parts.ts'
import { type GuardedCall, guardCall, type JudgeCall } from '../guard-call.ts'

export interface Gate {
  /** false: nobody would look at the event, so that it need not be made. */
  isWatched(event: string): boolean
  /** Never rejects. */
  pass(event: HookEvent, options?: FireOptions): Promise<GuardedCall>
  /** Whether a hook will record what a call changed. Absent: it may. */
  recordsEvidence?(): boolean
}

/** `handlers`: what the hooks of policies need that the caller's engine does not have. */
export function createGate({ registry, fire }: Engine, judge: JudgeCall | null, handlers: HandlerParts | null): Gate {
  return {
    isWatched: event => (judge !== null && gateOf(event) === 'tool') || registry.planFor(event).batches.length > 0,
    async pass(event, given) {
      const options = handlers === null ? given : { ...given, handlers }
      if (judge !== null) return guardCall(fire, event, judge, options)
      const fired = await fire(event, options)
      return { verdict: fired.verdict, fired, judgement: null }
    },
    recordsEvidence: () => registry.list().some(({ definition }) => recordsEvidence(definition)),
  }
}
