// Kysely over the driver seam. The connection comes through a function, because a failed writer is replaced while queries live on.
import { Kysely, SqliteDialect } from 'kysely'
import type { Connection, SqlValue, Statement } from './driver/driver.ts'
import { explainDatabaseError } from './store-error.ts'
import type { Tables } from './table/tables.ts'

const READS = /^\s*(select|with|pragma|values)\b|\breturning\b/i

/** `file` is for messages. */
export function createKysely(connection: () => Connection, file: string): Kysely<Tables> {
  const explained = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw explainDatabaseError(error, file)
    }
  }
  const prepare = rememberStatements(connection)
  const database = {
    prepare: (sql: string) => {
      const statement = explained(() => prepare(sql))
      return {
        reader: READS.test(sql),
        all: (parameters: readonly unknown[]) => explained(() => [...statement.all(parameters as readonly SqlValue[])]),
        run: (parameters: readonly unknown[]) =>
          explained(() => ({ ...statement.run(parameters as readonly SqlValue[]), lastInsertRowid: 0n })),
        iterate: (parameters: readonly unknown[]) => explained(() => statement.all(parameters as readonly SqlValue[]))[Symbol.iterator](),
      }
    },
    // The store opens and closes connections, not Kysely.
    close: () => undefined,
  }
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
}

const STATEMENTS_KEPT = 200

/** Preparing takes longer than most queries, and a statement that is not used again lives on until it is collected. */
function rememberStatements(connection: () => Connection): (sql: string) => Statement {
  let owner: Connection | undefined
  let known = new Map<string, Statement>()
  return sql => {
    const current = connection()
    if (current !== owner || known.size >= STATEMENTS_KEPT) known = new Map()
    owner = current
    const statement = known.get(sql) ?? current.prepare(sql)
    known.set(sql, statement)
    return statement
  }
}
