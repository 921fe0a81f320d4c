// Who may use the page: a person who came through a one-time link. The cookie alone is not enough for long. Browsers send it to every port
// of the host, so a web server that an agent started could read it; the page therefore makes a key of its own, which stays inside its origin,
// and from its first use on the session answers only to that key. Kept on disk as hashes, so that a page survives a restart of the daemon.
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../disk/make-folder.ts'

export type SessionCheck = 'ok' | 'unknown' | 'other-page'

export interface Sessions {
  /** The code of a link: good once, for a minute. */
  link(): string
  /** The cookie for whoever brings the code; null: it is used up, too old, or never was. */
  enter(code: string): string | null
  check(cookie: string, pageKey: string | null): SessionCheck
}

export interface SessionsOptions {
  readonly file: string
  now(): number
}

interface Session {
  readonly until: number
  /** Hash of the page's key; null: none has come yet. */
  page: string | null
}

export const SESSION_SECONDS: number = 7 * 24 * 3600
const LINK_MS = 60_000
const MAX_SESSIONS = 100

export function createSessions({ file, now }: SessionsOptions): Sessions {
  const links = new Map<string, number>()
  const sessions = readSessions(file)

  function keep(): void {
    for (const [id, { until }] of sessions) if (until < now()) sessions.delete(id)
    for (const id of sessions.keys()) {
      if (sessions.size <= MAX_SESSIONS) break
      sessions.delete(id)
    }
    writeSessions(file, sessions)
  }

  return {
    link() {
      for (const [code, until] of links) if (until < now()) links.delete(code)
      const code = newSecret()
      links.set(hashOf(code), now() + LINK_MS)
      return code
    },
    enter(code) {
      const until = links.get(hashOf(code))
      links.delete(hashOf(code))
      if (until === undefined || until < now()) return null
      const cookie = newSecret()
      sessions.set(hashOf(cookie), { until: now() + SESSION_SECONDS * 1000, page: null })
      keep()
      return cookie
    },
    check(cookie, pageKey) {
      const session = sessions.get(hashOf(cookie))
      if (session === undefined || session.until < now()) return 'unknown'
      const page = pageKey === null ? null : hashOf(pageKey)
      if (session.page === null && page !== null) {
        session.page = page
        keep()
      }
      return session.page === page ? 'ok' : 'other-page'
    },
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Looking up by hash takes the same time whatever is wrong. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** A file that is missing or damaged means: open the page anew. */
function readSessions(file: string): Map<string, Session> {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return new Map(Array.isArray(read) ? read.filter(isSession) : [])
  } catch {
    return new Map()
  }
}

function isSession(value: unknown): value is [string, Session] {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false
  const session = value[1] as Partial<Session> | null
  return typeof session?.until === 'number' && (session.page === null || typeof session.page === 'string')
}

function writeSessions(file: string, sessions: ReadonlyMap<string, Session>): void {
  makeFolder(dirname(file), 0o700)
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, `${JSON.stringify([...sessions])}\n`, { mode: 0o600 })
  renameSync(fresh, file)
}
