// Brings the database forward, all steps in one transaction, one process at a time, and never backward.
import { CompiledQuery, sql } from 'kysely'
import { HubProblem } from './hub-problem.ts'
import { STEPS } from './migration.ts'
import type { Database } from './open-database.ts'

export const CURRENT_VERSION: number = STEPS.length

/** "Bely": whoever migrates holds it until the transaction ends. */
const LOCK = 0x42656c79

/** Says which version it was before; 0: it is new. `to`: an earlier version, to try what becomes of one. */
export async function migrate(db: Database, to: number = CURRENT_VERSION): Promise<number> {
  return db.transaction().execute(async tx => {
    await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(tx)
    await tx.executeQuery(CompiledQuery.raw('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)'))
    const version = await readVersion(tx)
    if (version > CURRENT_VERSION) throw new HubProblem(newer(version))
    for (const step of STEPS.slice(version, to)) await tx.executeQuery(CompiledQuery.raw(step))
    if (version < to) {
      await sql`DELETE FROM schema_version`.execute(tx)
      await sql`INSERT INTO schema_version VALUES (${to})`.execute(tx)
    }
    return version
  })
}

/** Says why this database cannot be used as it is; undefined: it can. */
export async function findVersionProblem(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ found: string | null }>`SELECT to_regclass('schema_version')::text AS found`.execute(db)
  const version = rows[0]?.found ? await readVersion(db) : 0
  if (version === CURRENT_VERSION) return undefined
  if (version > CURRENT_VERSION) return newer(version)
  return version === 0
    ? 'this database holds no hub yet; run `belay-hub init`'
    : `this database is of version ${version} of ${CURRENT_VERSION}; run \`belay-hub migrate\``
}

async function readVersion(db: Database): Promise<number> {
  const { rows } = await sql<{ version: number }>`SELECT version FROM schema_version`.execute(db)
  return rows[0]?.version ?? 0
}

function newer(version: number): string {
  return `this database was written by a newer hub (version ${version}, this one knows ${CURRENT_VERSION}); update belay-hub`
}
