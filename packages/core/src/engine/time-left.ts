// How long the engine waits for a hook that has just been started.
import { limitOf } from '../handler/limit.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'

/** Processes and requests end themselves at their limit and say how; this is what they get to do so. */
const GRACE_MS = 2_000

/** `deadlineAt`: until when the caller waits, by performance.now(); null: as long as it takes. */
export function timeLeftFor({ definition }: RegisteredHook, deadlineAt: number | null): number {
  const callerMs = deadlineAt === null ? Number.POSITIVE_INFINITY : deadlineAt - performance.now()
  const limitMs = limitOf(definition, callerMs === Number.POSITIVE_INFINITY ? {} : { deadlineMs: callerMs })
  return definition.handler.type === 'inline' ? limitMs : Math.min(limitMs + GRACE_MS, callerMs)
}
