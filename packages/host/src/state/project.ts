// A project is a directory that was worked in.
import { basename } from 'node:path'
import type { Database } from './state.ts'

async function findProjectId(db: Database, path: string): Promise<number | null> {
  const row = await db.selectFrom('projects').select('id').where('path', '=', path).executeTakeFirst()
  return row?.id ?? null
}

export async function ensureProject(tx: Database, path: string, now: string): Promise<number> {
  const known = await findProjectId(tx, path)
  if (known !== null) return known
  const made = await tx
    .insertInto('projects')
    .values({ path, name: basename(path) || path, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}
