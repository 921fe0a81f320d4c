// What the database says of its team: the public half of the root key, and the root's endorsement of the hub's key.
import type { Database } from './open-database.ts'

export interface TeamMeta {
  readonly rootKey: string
  readonly hubKey: string
  /** A statement of the root that this hub's key may cosign for the team. */
  readonly endorsement: string
}

export async function writeTeamMeta(tx: Database, meta: TeamMeta): Promise<void> {
  const rows = Object.entries(meta).map(([key, value]) => ({ key, value: String(value) }))
  await tx.insertInto('meta').values(rows).execute()
}

export async function readTeamMeta(db: Database): Promise<TeamMeta | undefined> {
  const rows = await db.selectFrom('meta').selectAll().execute()
  const { rootKey, hubKey, endorsement } = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  return rootKey && hubKey && endorsement ? { rootKey, hubKey, endorsement } : undefined
}
