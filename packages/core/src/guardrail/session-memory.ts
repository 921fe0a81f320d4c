// What a guardrail remembers of each session. The oldest session goes when there are too many: agents come and go, the daemon stays.
import { BoundedMap } from '../value/bounded-map.ts'

const MAX_SESSIONS = 2000

export class SessionMemory<T> {
  private readonly kept = new BoundedMap<string, T>(MAX_SESSIONS)
  private readonly make: () => T

  constructor(make: () => T) {
    this.make = make
  }

  of(session: string): T {
    const known = this.kept.get(session)
    if (known !== undefined) return known
    const made = this.make()
    this.kept.set(session, made)
    return made
  }
}

/** One memory of each name for as long as the port lives: rules that are read anew do not forget what a session has done. */
export function createMemoryPort(): MemoryPort {
  const kept = new Map<string, SessionMemory<unknown>>()
  return {
    open<T>(name: string, make: () => T) {
      const known = kept.get(name) ?? new SessionMemory<unknown>(make)
      kept.set(name, known)
      // Whoever opens a name says what it holds; each guardrail has names of its own.
      return known as SessionMemory<T>
    },
  }
}

export interface MemoryPort {
  open<T>(name: string, make: () => T): SessionMemory<T>
}
