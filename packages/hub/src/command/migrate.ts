// `belay-hub migrate`: brings the schema to this version, past any pooler.
import { CURRENT_VERSION, migrate } from '../database/migrate.ts'
import { openDatabase } from '../database/open-database.ts'
import { type HubIo, needConfig } from './open-hub.ts'

export async function runMigrate(options: { readonly config?: string; readonly json?: boolean }, io: HubIo): Promise<number> {
  const { directUrl } = needConfig(options.config, io)
  const { db, close } = openDatabase(directUrl)
  try {
    const from = await migrate(db)
    const text =
      from === CURRENT_VERSION ? `the schema is of version ${from} already` : `the schema went from version ${from} to ${CURRENT_VERSION}`
    io.out(options.json ? `${JSON.stringify({ from, to: CURRENT_VERSION })}\n` : `${text}\n`)
    return 0
  } finally {
    await close()
  }
}
