// Starts an `async` hook in the next turn, so that not even a slow synchronous function holds the event up.
import type { HandlerRun } from '../hook/hook-result.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import type { Firing } from './firing.ts'
import { PendingHook } from './pending-hook.ts'
import { createStopper, startHook } from './start-hook.ts'

export function runInBackground(firing: Firing, hook: RegisteredHook): Promise<HandlerRun> {
  const stopper = createStopper(firing, hook)
  return new Promise(resolve => {
    const pending = new PendingHook(hook, stopper, Number.POSITIVE_INFINITY, resolve)
    setImmediate(() => {
      pending.start(startHook(firing, hook, stopper), 0)
      if (pending.run !== null) resolve(pending.run)
    })
  })
}
