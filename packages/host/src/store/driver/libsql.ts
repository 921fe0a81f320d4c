// SQLite through the `libsql` package: prebuilt, needs no install script, runs on every supported Node.
// Traps: `get()` adds a key of its own, so only `all()` is used; a raw statement stays raw, so arrays get a statement of their own.
import { pathToFileURL } from 'node:url'
import Database from 'libsql'
import type { Connection, Driver, SqlValue, Statement } from './driver.ts'

export const openLibsql: Driver = (file, { readOnly }) => {
  const database = new Database(readOnly ? `${pathToFileURL(file).href}?mode=ro` : file)
  const connection: Connection = {
    exec: sql => database.exec(sql),
    prepare: sql => prepare(database, sql),
    close: () => database.close(),
  }
  return connection
}

function prepare(database: Database.Database, sql: string): Statement {
  const statement = database.prepare(sql)
  let arrays: Database.Statement | undefined
  return {
    run: parameters => ({ changes: statement.run([...parameters]).changes }),
    all: parameters => statement.all([...parameters]) as Readonly<Record<string, SqlValue>>[],
    rows: parameters => {
      arrays ??= database.prepare(sql).raw()
      return arrays.all([...parameters]) as SqlValue[][]
    },
  }
}
