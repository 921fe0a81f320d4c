// SQLite as it comes with Node 22.13 and later. The types are our own: the oldest Node we support does not know the module.
import type { Driver, SqlValue, Statement } from './driver.ts'

interface NodeStatement {
  run(...parameters: readonly SqlValue[]): { readonly changes: number | bigint }
  all(...parameters: readonly SqlValue[]): readonly Record<string, SqlValue>[]
  setReturnArrays?(on: boolean): void
}

interface NodeDatabase {
  exec(sql: string): void
  prepare(sql: string): NodeStatement
  close(): void
}

export interface NodeSqlite {
  readonly DatabaseSync: new (file: string, options: { readonly readOnly: boolean }) => NodeDatabase
}

/** The module, or undefined where this Node has none. */
export function findNodeSqlite(): NodeSqlite | undefined {
  const emitWarning = process.emitWarning
  // Loading it prints that it is experimental, into the output of every command and hook.
  process.emitWarning = () => undefined
  try {
    return process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}

export function createNodeSqliteDriver({ DatabaseSync }: NodeSqlite): Driver {
  return (file, { readOnly }) => {
    const database = new DatabaseSync(file, { readOnly })
    return {
      exec: sql => database.exec(sql),
      prepare: sql => prepare(database, sql),
      close: () => database.close(),
    }
  }
}

function prepare(database: NodeDatabase, sql: string): Statement {
  const statement = database.prepare(sql)
  let arrays: NodeStatement | undefined
  return {
    run: parameters => ({ changes: Number(statement.run(...parameters).changes) }),
    all: parameters => statement.all(...parameters),
    rows: parameters => {
      if (arrays === undefined) {
        arrays = database.prepare(sql)
        arrays.setReturnArrays?.(true)
      }
      return arrays.all(...parameters).map(row => (Array.isArray(row) ? row : Object.values(row)))
    },
  }
}
