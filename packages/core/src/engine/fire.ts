// The one way an event passes through the hooks: select, run, fold, report. There is no second one per event.
import type { HookEvent } from '../hook/hook-event.ts'
import { cancelFiring, drive } from './drive.ts'
import type { EngineParts, FireOptions } from './engine-parts.ts'
import type { FireResult } from './fire-result.ts'
import { createFiring, type Firing } from './firing.ts'

/** Never rejects: what hooks do wrong is in the result. */
export function fire(parts: EngineParts, event: HookEvent, options: FireOptions = {}): Promise<FireResult> {
  const firing = createFiring(parts, event, options)
  const result = drive(firing)
  return result === null ? new Promise(resolve => wait(firing, resolve)) : Promise.resolve(result)
}

function wait(firing: Firing, resolve: (result: FireResult) => void): void {
  const { signal } = firing.options
  firing.resolve = resolve
  if (signal === undefined) return
  const onAbort = () => cancelFiring(firing, 'aborted')
  firing.resolve = result => {
    signal.removeEventListener('abort', onAbort)
    resolve(result)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
}
