// The gates of the sessions between the clients and one server behind an address. Answers may come on another stream than their request, so
// they are matched by session; without one each request is on its own. A server that keeps no sessions gets one from us where the client's
// user can be asked: else nobody would know whose answer comes in.
import { createHash, randomUUID } from 'node:crypto'
import { BoundedMap } from '@belay/core/value'
import type { MessageGate } from './message-gate.ts'
import { createQuestions, type Questions } from './questions.ts'

export type OpenGate = (session: string, questions: Questions) => MessageGate

export interface Visit {
  readonly gate: MessageGate
  readonly questions: Questions
}

export interface SessionGates {
  of(session: string | undefined): Visit
  /** The session of a client that has said what it can; null: the server gives none, and none is needed. */
  begin(given: string | undefined, visit: Visit): string | null
  end(session: string | undefined): void
}

const MAX_SESSIONS = 1000
const OWN = 'belay-session-'

/** The server never heard of it. */
export function isOwnSession(session: string | undefined): boolean {
  return session?.startsWith(OWN) ?? false
}

export function createSessionGates(openGate: OpenGate): SessionGates {
  const kept = new BoundedMap<string, Visit>(MAX_SESSIONS)
  const nameless = `mcp-${randomUUID()}`
  const open = (name: string, questions: Questions): Visit => ({ gate: openGate(name, questions), questions })
  const keep = (session: string, questions: Questions): Visit => {
    // The id itself is a secret between the client and the server.
    const visit = open(`mcp-${createHash('sha256').update(session).digest('hex').slice(0, 32)}`, questions)
    kept.set(session, visit)
    return visit
  }
  return {
    of(session) {
      if (session === undefined) return open(nameless, createQuestions())
      return kept.get(session) ?? keep(session, createQuestions())
    },
    begin(given, { questions }) {
      const session = given ?? (questions.isAble() ? `${OWN}${randomUUID()}` : null)
      if (session !== null) keep(session, questions)
      return session
    },
    end: session => void kept.delete(session ?? ''),
  }
}
