// Tokens: a random text that is given out once. The database holds its hash, when it ends, and whether it was used or revoked.
import { createHash, randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Database } from '../database/open-database.ts'
import type { TokenTable } from '../database/tables.ts'

export type Token = Selectable<TokenTable>
type Owner = { readonly person?: string; readonly machine?: string; readonly label?: string }

export interface NewToken extends Owner {
  readonly kind: Token['kind']
  readonly secret: string
  readonly livesMs: number
}

export function createSecret(): string {
  return randomBytes(24).toString('base64url')
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(`belay token\0${secret}`).digest()
}

export async function addToken(db: Database, { kind, secret, livesMs, person, machine, label }: NewToken): Promise<Date> {
  const expires_at = new Date(Date.now() + livesMs)
  await db
    .insertInto('token')
    .values({ hash: hashSecret(secret), kind, person: person ?? null, machine: machine ?? null, label: label ?? '', expires_at })
    .execute()
  return expires_at
}

/** One that may still be used as often as it likes. */
export async function findToken(db: Database, kind: Token['kind'], secret: string): Promise<Token | undefined> {
  return db
    .selectFrom('token')
    .selectAll()
    .where('hash', '=', hashSecret(secret))
    .where('kind', '=', kind)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date())
    .executeTakeFirst()
}

/** One that may be used once: of two who come with it, one gets it. */
export async function useToken(tx: Database, kind: Token['kind'], secret: string): Promise<Token | undefined> {
  return tx
    .updateTable('token')
    .set({ used_at: new Date() })
    .where('hash', '=', hashSecret(secret))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date())
    .returningAll()
    .executeTakeFirst()
}

/** By the beginning of their hash in hex, as `token list` shows it. */
export async function revokeTokens(tx: Database, prefix: string): Promise<number> {
  const open = await tx.selectFrom('token').select('hash').where('revoked_at', 'is', null).execute()
  const found = open.map(({ hash }) => hash).filter(hash => hash.toString('hex').startsWith(prefix))
  if (found.length !== 1) return found.length
  await tx.updateTable('token').set({ revoked_at: new Date() }).where('hash', 'in', found).execute()
  return 1
}

export async function forgetTokens(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('token').where('expires_at', '<', before).where('kind', 'in', ['machine', 'challenge', 'session']).execute()
}
