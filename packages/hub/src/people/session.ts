// Somebody who has logged in on the page: a cookie, and a key that the browser keeps for the page's origin alone. A cookie goes to every port
// of its host, so it opens nothing by itself. A session ends with the token that it was made with.
import type { Database } from '../database/open-database.ts'
import { findPersonByToken, type Person, selectTokenPerson } from './person.ts'
import { addToken, createSecret, findToken, hashSecret } from './token.ts'

export const SESSION_SECONDS = 12 * 3600

const PAGE_KEY = /^[0-9a-f]{64}$/

export interface Session {
  readonly person: Person
  /** For the cookie. */
  readonly secret: string
}

/** Undefined: the token is unknown or over, or there is no key of a page. */
export async function startSession(db: Database, token: string, pageKey: string): Promise<Session | undefined> {
  const person = PAGE_KEY.test(pageKey) ? await findPersonByToken(db, token) : undefined
  if (!person) return undefined
  const secret = createSecret()
  const label = hashSecret(token).toString('hex')
  await addToken(db, { kind: 'session', secret: `${secret}.${pageKey}`, livesMs: SESSION_SECONDS * 1000, person: person.name, label })
  return { person, secret }
}

export async function findPersonBySession(db: Database, secret: string, pageKey: string): Promise<Person | undefined> {
  const session = await findToken(db, 'session', `${secret}.${pageKey}`)
  return session && findOwner(db, session.label, session.person)
}

/** Of the token that the session was made with, while that is good. */
async function findOwner(db: Database, hash: string, name: string | null): Promise<Person | undefined> {
  return name === null ? undefined : selectTokenPerson(db, Buffer.from(hash, 'hex')).where('person.name', '=', name).executeTakeFirst()
}

export async function endSession(db: Database, secret: string, pageKey: string): Promise<void> {
  await db
    .updateTable('token')
    .set({ revoked_at: new Date() })
    .where('hash', '=', hashSecret(`${secret}.${pageKey}`))
    .where('kind', '=', 'session')
    .execute()
}
