// People of a team, by name, each with one role.
import type { Database } from '../database/open-database.ts'
import type { Role } from '../database/role.ts'
import { hashSecret } from './token.ts'

export interface Person {
  readonly name: string
  readonly role: Role
}

/** False: there is one of that name. */
export async function addPerson(tx: Database, { name, role }: Person): Promise<boolean> {
  const added = await tx
    .insertInto('person')
    .values({ name, role })
    .onConflict(conflict => conflict.column('name').doNothing())
    .executeTakeFirst()
  return added.numInsertedOrUpdatedRows === 1n
}

export async function changeRole(tx: Database, { name, role }: Person): Promise<boolean> {
  const changed = await tx.updateTable('person').set({ role }).where('name', '=', name).where('removed_at', 'is', null).executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

/** Their tokens end with them. The last administrator stays. */
export async function removePerson(tx: Database, name: string): Promise<'removed' | 'unknown' | 'last_admin'> {
  const people = await tx.selectFrom('person').selectAll().where('removed_at', 'is', null).forUpdate().execute()
  const person = people.find(each => each.name === name)
  if (!person) return 'unknown'
  if (person.role === 'admin' && people.filter(each => each.role === 'admin').length === 1) return 'last_admin'
  await tx.updateTable('person').set({ removed_at: new Date() }).where('name', '=', name).execute()
  await tx.updateTable('token').set({ revoked_at: new Date() }).where('person', '=', name).where('revoked_at', 'is', null).execute()
  return 'removed'
}

export async function findPersonByToken(db: Database, secret: string): Promise<Person | undefined> {
  return selectTokenPerson(db, hashSecret(secret)).executeTakeFirst()
}

/** By a token of theirs that is good. */
export function selectTokenPerson(db: Database, hash: Buffer) {
  return db
    .selectFrom('token')
    .innerJoin('person', 'person.name', 'token.person')
    .select(['person.name', 'person.role'])
    .where('token.hash', '=', hash)
    .where('token.kind', '=', 'person')
    .where('token.revoked_at', 'is', null)
    .where('token.expires_at', '>', new Date())
    .where('person.removed_at', 'is', null)
}
