// Kysely over the driver seam. The connection comes through a function, because a failed writer is replaced while queries live on.
import { Kysely, SqliteDialect } from 'kysely'
import type { Connection, SqlValue } from './driver/driver.ts'
import type { Tables } from './table/tables.ts'

const READS = /^\s*(select|with|pragma|values)\b|\breturning\b/i

export function createKysely(connection: () => Connection): Kysely<Tables> {
  const database = {
    prepare: (sql: string) => {
      const statement = connection().prepare(sql)
      return {
        reader: READS.test(sql),
        all: (parameters: readonly unknown[]) => [...statement.all(parameters as readonly SqlValue[])],
        run: (parameters: readonly unknown[]) => ({ ...statement.run(parameters as readonly SqlValue[]), lastInsertRowid: 0n }),
        iterate: (parameters: readonly unknown[]) => statement.all(parameters as readonly SqlValue[])[Symbol.iterator](),
      }
    },
    // The store opens and closes connections, not Kysely.
    close: () => undefined,
  }
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
}
