// SQLite through the `libsql` package: prebuilt, needs no install script, runs on every supported Node.
// Traps: `get()` adds a key of its own, so only `all()` is used; a raw statement stays raw, so arrays get a statement of their own;
// a blob comes back as a bare ArrayBuffer; a closed connection lives on until its statements are collected, which can be never, so its
// memory is given back first.
import { pathToFileURL } from 'node:url'
import Database from 'libsql'
import type { Connection, Driver, SqlValue, Statement } from './driver.ts'

export const openLibsql: Driver = (file, { readOnly }) => {
  const database = new Database(readOnly ? `${pathToFileURL(file).href}?mode=ro` : file)
  const connection: Connection = {
    exec: sql => database.exec(sql),
    prepare: sql => prepare(database, sql),
    close: () => {
      if (database.open) database.exec('PRAGMA shrink_memory')
      database.close()
    },
  }
  return connection
}

type RawValue = SqlValue | ArrayBuffer

function prepare(database: Database.Database, sql: string): Statement {
  const statement = database.prepare(sql)
  let arrays: Database.Statement | undefined
  return {
    // Not a copy: libsql only reads them, and there are more than a hundred for eight rows.
    run: parameters => ({ changes: statement.run(parameters as SqlValue[]).changes }),
    all: parameters => {
      const rows = statement.all([...parameters]) as Record<string, RawValue>[]
      for (const row of rows) {
        for (const column in row) {
          const value = row[column]
          if (value instanceof ArrayBuffer) row[column] = Buffer.from(value)
        }
      }
      return rows as Record<string, SqlValue>[]
    },
    rows: parameters => {
      arrays ??= database.prepare(sql).raw()
      const rows = arrays.all([...parameters]) as RawValue[][]
      for (const row of rows) {
        for (const [index, value] of row.entries()) if (value instanceof ArrayBuffer) row[index] = Buffer.from(value)
      }
      return rows as SqlValue[][]
    },
  }
}
