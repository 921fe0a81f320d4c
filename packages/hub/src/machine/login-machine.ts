// A machine signs a challenge that is good once and for a minute, and gets a token for a quarter of an hour.
import { parseNoteKey } from '@belay/core/ledger'
import { isStatement } from '@belay/core/team'
import type { Selectable } from 'kysely'
import type { Database } from '../database/open-database.ts'
import type { MachineTable } from '../database/tables.ts'
import { addToken, createSecret, findToken, hashSecret, useToken } from '../people/token.ts'

export type Machine = Selectable<MachineTable>

const CHALLENGE_MS = 60_000
const TOKEN_MS = 15 * 60_000

export async function createChallenge(db: Database, id: string): Promise<string | undefined> {
  if (!(await findMachine(db, id))) return undefined
  const secret = createSecret()
  await addToken(db, { kind: 'challenge', secret, livesMs: CHALLENGE_MS, machine: id })
  return secret
}

export interface Login {
  readonly machine: string
  readonly challenge: string
  /** The login key's statement over machine and challenge. */
  readonly signature: string
}

export async function loginMachine(db: Database, login: Login): Promise<{ token: string; expiresAt: Date } | undefined> {
  const challenge = await findToken(db, 'challenge', login.challenge)
  const machine = challenge?.machine === login.machine ? await findMachine(db, login.machine) : undefined
  const key = machine && parseNoteKey(machine.login_key)
  if (!key || !isStatement(login.signature, 'login', [login.machine, login.challenge], key)) return undefined
  return db.transaction().execute(async tx => {
    // Last: nobody else's attempt uses it up.
    if (!(await useToken(tx, 'challenge', login.challenge))) return undefined
    const token = createSecret()
    return { token, expiresAt: await addToken(tx, { kind: 'machine', secret: token, livesMs: TOKEN_MS, machine: login.machine }) }
  })
}

export async function findMachineByToken(db: Database, secret: string): Promise<Machine | undefined> {
  return db
    .selectFrom('token')
    .innerJoin('machine', 'machine.id', 'token.machine')
    .selectAll('machine')
    .where('token.hash', '=', hashSecret(secret))
    .where('token.kind', '=', 'machine')
    .where('token.revoked_at', 'is', null)
    .where('token.expires_at', '>', new Date())
    .where('machine.revoked_at', 'is', null)
    .where('machine.left_at', 'is', null)
    .executeTakeFirst()
}

/** One that has neither left nor been revoked. */
async function findMachine(db: Database, id: string): Promise<Machine | undefined> {
  return db
    .selectFrom('machine')
    .selectAll()
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('left_at', 'is', null)
    .executeTakeFirst()
}

/** Its tokens end at once; what it has sent stays. */
export async function endMachine(tx: Database, id: string, how: 'left' | 'revoked'): Promise<boolean> {
  const now = new Date()
  const ended = await tx
    .updateTable('machine')
    .set(how === 'left' ? { left_at: now } : { revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('left_at', 'is', null)
    .executeTakeFirst()
  await tx.updateTable('token').set({ revoked_at: now }).where('machine', '=', id).where('revoked_at', 'is', null).execute()
  return ended.numUpdatedRows === 1n
}
