// Who may publish: keys that the team's root has endorsed. The endorsement is the root's own word; the hub only keeps it.
import { formatNoteKey, type NoteKey, parseNoteKey } from '@belay/core/ledger'
import { readPublisher } from '@belay/core/team'
import type { Database } from '../database/open-database.ts'

export interface PublisherRow {
  readonly person: string
  readonly key: string
  readonly endorsement: string
  readonly until: Date
  readonly revokedAt: Date | null
}

/** Text: why it cannot be added. */
export async function addPublisher(tx: Database, root: NoteKey, endorsement: string): Promise<{ person: string; key: string } | string> {
  const publisher = readPublisher(endorsement, root)
  if (!publisher) return "this is no endorsement by the team's root"
  const { person, until } = publisher
  const found = await tx.selectFrom('person').select('role').where('name', '=', person).where('removed_at', 'is', null).executeTakeFirst()
  if (!found) return `there is nobody called ${person}; \`belay-hub people add ${person} --role publisher\` adds them`
  const key = formatNoteKey(publisher.key)
  const row = { key, person, endorsement, until: new Date(until) }
  await tx
    .insertInto('publisher')
    .values(row)
    .onConflict(conflict => conflict.column('key').doUpdateSet(row))
    .execute()
  return { person, key }
}

export async function listPublishers(db: Database): Promise<readonly PublisherRow[]> {
  const rows = await db.selectFrom('publisher').selectAll().orderBy('person').execute()
  return rows.map(({ revoked_at, ...row }) => ({ ...row, revokedAt: revoked_at }))
}

/** By the name or id of its key. */
export async function revokePublisher(tx: Database, wanted: string): Promise<readonly string[]> {
  const rows = await tx.selectFrom('publisher').select('key').where('revoked_at', 'is', null).execute()
  const found = rows
    .map(({ key }) => key)
    .filter(text => {
      const key = parseNoteKey(text)
      return text === wanted || key?.id === wanted || key?.name === wanted
    })
  if (found.length > 0) await tx.updateTable('publisher').set({ revoked_at: new Date() }).where('key', 'in', found).execute()
  return found
}
