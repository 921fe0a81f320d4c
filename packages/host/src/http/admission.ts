// Who may talk to the HTTP surface. The Unix socket is protected by its permissions; loopback TCP can be reached by every page of
// every browser on this machine, so there the Host, the Origin and a secret are checked before anything is read.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { SessionCheck } from './page-sessions.ts'

export interface Door {
  readonly kind: 'unix' | 'tcp'
  /** Of the TCP listener. */
  readonly port: number
}

export interface Secrets {
  readonly token: string
  /** Whether a session cookie belongs to a person who came through a one-time link, and the page to that session. */
  checkSession(cookie: string, pageKey: string | null): SessionCheck
}

export type Admission =
  | { readonly ok: true; readonly as: 'socket' | 'token' | 'session' | 'anyone' }
  | { readonly ok: false; readonly status: number; readonly message: string }

export const SESSION_COOKIE = 'belay_session'
/** The page's own key; see dashboard/sessions.ts. */
const PAGE_HEADER = 'belay-page'
const READING = new Set(['GET', 'HEAD'])

/** `open`: paths that need no secret (the one-time link itself, the health check, static files of the page). */
export function admit(request: IncomingMessage, door: Door, secrets: Secrets, open: boolean): Admission {
  if (door.kind === 'unix') return { ok: true, as: 'socket' }
  const wrong = checkOrigin(request, door.port)
  if (wrong !== null) return wrong
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (bearer !== undefined) {
    if (isSame(bearer, secrets.token)) return { ok: true, as: 'token' }
    return { ok: false, status: 401, message: 'The token is not the one in the token file under $BELAY_HOME/run.' }
  }
  if (open) return { ok: true, as: 'anyone' }
  const cookie = readCookie(request)
  const page = request.headers[PAGE_HEADER]
  const session = cookie === null ? 'unknown' : secrets.checkSession(cookie, typeof page === 'string' ? page : null)
  if (session === 'ok') return admitSession(request)
  if (session === 'other-page')
    return { ok: false, status: 401, message: 'The session belongs to another page; open this one anew with `belay dashboard`.' }
  return {
    ok: false,
    status: 401,
    message: 'Send Authorization: Bearer with the token from $BELAY_HOME/run, or open the page with `belay dashboard`.',
  }
}

/** A page of another origin may send requests with our cookie but cannot forge the Origin header. */
function admitSession(request: IncomingMessage): Admission {
  const fromPage = request.headers.origin !== undefined || request.headers['sec-fetch-site'] === 'same-origin'
  if (!READING.has(request.method ?? '') && !fromPage) {
    return { ok: false, status: 403, message: 'A change needs the Origin header of the page it comes from.' }
  }
  return { ok: true, as: 'session' }
}

function checkOrigin(request: IncomingMessage, port: number): Admission | null {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]
  const host = request.headers.host ?? ''
  if (!hosts.includes(host))
    return {
      ok: false,
      status: 421,
      message: `The Host header must be one of ${hosts.join(', ')}. Whoever forwards the port keeps its number: ssh -L ${port}:127.0.0.1:${port}.`,
    }
  const { origin } = request.headers
  if (origin !== undefined && origin !== `http://${host}`)
    return { ok: false, status: 403, message: `Requests from ${origin} are refused.` }
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return { ok: false, status: 403, message: 'Requests from another site are refused.' }
  }
  return null
}

function readCookie(request: IncomingMessage): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=')
    if (name === SESSION_COOKIE && value !== undefined) return value
  }
  return null
}

/** In constant time whatever the lengths. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}
