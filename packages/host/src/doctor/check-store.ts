// Whether the database can be read to its last page, and is of this version.

import { existsSync } from 'node:fs'
import { errorText } from '@belay/core/value'
import { sql } from 'kysely'
import type { Finding } from '../install/finding.ts'
import { RENEW } from '../install/renew.ts'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import { StoreError } from '../store/store-error.ts'

/** Nothing where there is none yet. */
export async function checkStore(file: string): Promise<readonly Finding[]> {
  if (!existsSync(file)) return []
  const about = { agent: null, check: 'database' }
  try {
    const store = await openSqliteStore({ file, readOnly: true })
    try {
      const { rows } = await sql<Readonly<Record<string, unknown>>>`PRAGMA quick_check(1)`.execute(store.db)
      const said = String(Object.values(rows[0] ?? {})[0])
      if (said === 'ok') return [{ ...about, state: 'ok', message: file }]
      return [
        {
          ...about,
          state: 'fail',
          message: `${file} is damaged: ${said.replace(/\s+/g, ' ')}`,
          remedy: 'belay restore FILE, with a backup',
        },
      ]
    } finally {
      await store.close()
    }
  } catch (error) {
    const isOlder = error instanceof StoreError && error.code === 'BELAY_STORE_OLDER'
    const message = errorText(error)
    const remedy = isOlder ? RENEW : 'belay restore FILE, with a backup; or move it away: a new one is made, and says that it is new'
    return [{ ...about, state: isOlder ? 'warn' : 'fail', message, remedy }]
  }
}
