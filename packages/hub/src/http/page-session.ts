// Logging in on the page, and out again. The token goes to the hub once; from then on a cookie that no script can read, and the page's key.
import type { IncomingHttpHeaders } from 'node:http'
import { isObject } from '@belay/core/value'
import type { Refusals } from '../act/refusals.ts'
import type { Database } from '../database/open-database.ts'
import type { Person } from '../people/person.ts'
import { endSession, findPersonBySession, SESSION_SECONDS, startSession } from '../people/session.ts'
import { ok, type Routes, refuse } from './route.ts'

const COOKIE = 'belay_hub'

export interface SessionRoutesOptions {
  readonly db: Database
  readonly refusals: Refusals
  /** People reach this hub over TLS, so the cookie goes nowhere else. */
  readonly isSecure: boolean
}

export function createSessionRoutes({ db, refusals, isSecure }: SessionRoutesOptions): Routes {
  const cookieOf = (value: string, seconds: number): Readonly<Record<string, string>> => ({
    'set-cookie': `${COOKIE}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`,
  })
  return {
    'POST /v1/session': {
      for: 'anyone',
      run: async ({ body, headers }) => {
        const token = isObject(body) && typeof body.token === 'string' ? body.token.trim() : ''
        const session = await startSession(db, token, readPageKey(headers))
        if (!session)
          await refusals.note({ actor: 'nobody', kind: 'login_refused', body: { request: 'session', why: 'the token is none' } })
        if (!session)
          return refuse(403, 'the token is unknown, revoked or over; an administrator makes one with `belay-hub token person NAME`')
        return { ...ok({ ...session.person }), headers: cookieOf(session.secret, SESSION_SECONDS) }
      },
    },
    'POST /v1/session/end': {
      for: 'anyone',
      run: async ({ headers }) => {
        await endSession(db, readCookie(headers), readPageKey(headers))
        return { ...ok({}), headers: cookieOf('', 0) }
      },
    },
  }
}

/** Who has logged in on the page that asks. */
export async function findVisitor(db: Database, headers: IncomingHttpHeaders): Promise<Person | undefined> {
  const [secret, key] = [readCookie(headers), readPageKey(headers)]
  return secret === '' || key === '' ? undefined : findPersonBySession(db, secret, key)
}

function readCookie({ cookie = '' }: IncomingHttpHeaders): string {
  return new RegExp(`(?:^|; ?)${COOKIE}=([\\w-]+)`).exec(cookie)?.[1] ?? ''
}

/** Another origin cannot set it without asking first, and is not let to. */
function readPageKey(headers: IncomingHttpHeaders): string {
  return String(headers['belay-page'] ?? '')
}
