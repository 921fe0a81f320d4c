// The one way an event passes through the hooks: select, run, fold, report. There is no second one per event.
import type { HookEvent } from '../hook/hook-event.ts'
import type { EngineParts, FireOptions } from './engine-parts.ts'
import { finishFiring } from './finish-firing.ts'
import type { FireResult } from './fire-result.ts'
import { createFiring, type Firing } from './firing.ts'
import { cancelFiring, runPlan } from './run-plan.ts'

const NO_OPTIONS: FireOptions = {}

/** No promise where no hook has to be waited for. Never rejects: what hooks do wrong is in the result. */
export function fire(parts: EngineParts, event: HookEvent, options: FireOptions = NO_OPTIONS): FireResult | Promise<FireResult> {
  const firing = createFiring(parts, event, options)
  if (runPlan(firing)) return finishFiring(firing)
  return new Promise(resolve => {
    firing.resolve = options.signal === undefined ? resolve : listen(firing, options.signal, resolve)
  })
}

function listen(firing: Firing, signal: AbortSignal, resolve: (result: FireResult) => void): (result: FireResult) => void {
  const onAbort = () => cancelFiring(firing, 'aborted')
  signal.addEventListener('abort', onAbort, { once: true })
  return result => {
    signal.removeEventListener('abort', onAbort)
    resolve(result)
  }
}
