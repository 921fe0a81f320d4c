// Failures of hooks that were let through are told to the person, once a hook and session; of a hook that ended after its event, with the
// next event of the session. Bounded: sessions end without saying so, and the oldest go first.

import type { RegisteredHook } from '../registry/registered-hook.ts'
import { BoundedMap } from '../value/bounded-map.ts'

export interface Warnings {
  /** Whether the person of this session has not been told of this hook before; from now on it has. */
  isNew(hook: RegisteredHook, sessionId: string): boolean
  keep(sessionId: string, text: string): void
  /** What was kept for this session, and is no more. */
  take(sessionId: string): readonly string[]
}

const MAX_TOLD = 10_000
const MAX_SESSIONS = 1000
const NOTHING: readonly string[] = Object.freeze([])

export function createWarnings(): Warnings {
  const told = new BoundedMap<string, true>(MAX_TOLD)
  const kept = new BoundedMap<string, readonly string[]>(MAX_SESSIONS)
  return {
    isNew({ scope, label }, sessionId) {
      const key = JSON.stringify([sessionId, scope, label])
      if (told.has(key)) return false
      told.set(key, true)
      return true
    },
    keep(sessionId, text) {
      kept.set(sessionId, [...(kept.get(sessionId) ?? NOTHING), text])
    },
    take(sessionId) {
      if (kept.size === 0) return NOTHING
      const texts = kept.get(sessionId)
      if (texts === undefined) return NOTHING
      kept.delete(sessionId)
      return texts
    },
  }
}
