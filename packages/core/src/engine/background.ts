// Starts an `async` hook in the next turn, so that not even a slow synchronous function holds the event up.
import type { HookEvent } from '../hook/hook-event.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import type { Firing } from './firing.ts'
import { Flight } from './flight.ts'
import { startHook } from './start-hook.ts'

export function runInBackground(firing: Firing, hook: RegisteredHook, event: HookEvent): Promise<HandlerRun> {
  return new Promise(resolve => {
    setImmediate(() => {
      const flight: Flight = new Flight(startHook(firing, hook, event), Number.POSITIVE_INFINITY, end)
      function end(): void {
        if (flight.run !== null) resolve(flight.run)
      }
      if (!flight.takeOff()) end()
    })
  })
}
