// The one connection that writes. Invariant: after any failure the connection is thrown away and opened anew, so that what it believes
// (a half-run statement, an undecided commit) never meets the next transaction; what is on disk decides. Only a row that the database refused
// leaves nothing undecided: the transaction is undone, and the connection stays.
import { closeSync, openSync } from 'node:fs'
import { requireOwnSchema } from './check-schema.ts'
import type { Connection, Driver, SqlValue, Statement } from './driver/driver.ts'
import { joinRows } from './join-rows.ts'
import { createLogCopier } from './log-copier.ts'
import { migrate } from './migrate.ts'
import { reserveLog } from './reserve-log.ts'
import type { Write } from './store.ts'
import { explainDatabaseError, StoreError } from './store-error.ts'

/** Checkpointing the write-ahead log takes milliseconds, so it waits for a quiet moment, */
const IDLE_MS = 200
/** unless about this much was logged since the last time. */
const WAL_LIMIT_BYTES = 16 * 1024 * 1024
/** That much is copied between two commits, the rest beside them. */
const REST_BYTES = 512 * 1024
/** Each has less left to copy, unless the disk is slower than the writer. */
const COPY_PASSES = 3
/** Taken in advance, once there is time. */
const WAL_RESERVE_BYTES = WAL_LIMIT_BYTES
/** What a commit logs besides its values: a few pages, most of them not full. */
const COMMIT_BYTES = 16 * 1024

export interface SqliteWriter {
  readonly connection: () => Connection
  /** The version that opening it brought it forward from; 0: it was new. */
  readonly version: number
  /** Runs `work` inside a transaction; what it wrote is on disk afterwards. */
  commit(writes: readonly Write[]): void
  begin(): void
  end(): void
  /** After a failure: never throws. */
  abandon(): void
  /** After a row was refused: never throws. */
  undo(): void
  close(): Promise<void>
}

export function openSqliteWriter(file: string, driver: Driver): SqliteWriter {
  const opened = openConnection(file, driver)
  let connection: Connection | undefined = opened.connection
  /** Given up after a failure, but perhaps still inside its transaction. */
  let failed: Connection | undefined
  let statements = new Map<string, Statement>()
  let idle: NodeJS.Timeout | undefined
  let loggedBytes = 0
  let isClosed = false
  const copier = createLogCopier(file)
  let isCopying = false

  const current = (): Connection => {
    if (isClosed) throw new StoreError('BELAY_STORE_IO', `${file} was closed`)
    if (failed) {
      rollBack(failed)
      const gone = failed
      failed = undefined
      quietly(() => gone.close())
    }
    connection ??= openConnection(file, driver).connection
    return connection
  }

  const prepare = (sql: string): Statement => {
    const known = statements.get(sql)
    if (known) return known
    const statement = current().prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  const checkpointWal = (): void => {
    loggedBytes = 0
    quietly(() => connection?.exec('PRAGMA wal_checkpoint(PASSIVE)'))
  }

  const rest = (): void => {
    checkpointWal()
    quietly(() => reserveLog(file, WAL_RESERVE_BYTES))
  }

  const copyLog = (passes = COPY_PASSES): void => {
    if (isCopying) return
    isCopying = copier.start(() => {
      isCopying = false
      // Only with nothing left to copy does the log start over.
      if (passes > 1 && loggedBytes > REST_BYTES) copyLog(passes - 1)
      else checkpointWal()
    })
    if (isCopying) loggedBytes = 0
    else checkpointWal()
  }

  const scheduleCheckpoint = (bytes: number): void => {
    loggedBytes += bytes
    if (loggedBytes > WAL_LIMIT_BYTES) copyLog()
    else if (idle) idle.refresh()
    else idle = setTimeout(rest, IDLE_MS).unref()
  }

  const abandon = (): void => {
    failed ??= connection
    connection = undefined
    statements = new Map()
    // Now, if the disk lets us: until then nobody can write. Else with the next attempt.
    quietly(current)
  }

  const undo = (): void => {
    try {
      rollBack(current())
    } catch {
      abandon()
    }
  }

  return {
    connection: current,
    version: opened.version,
    begin: () => current().exec('BEGIN IMMEDIATE'),
    end: () => {
      current().exec('COMMIT')
      scheduleCheckpoint(COMMIT_BYTES)
    },
    commit: writes => {
      // One statement is a transaction by itself.
      const isOne = writes.length === 1
      if (!isOne) current().exec('BEGIN IMMEDIATE')
      let bytes = COMMIT_BYTES
      for (const { sql, parameters } of joinRows(writes)) {
        prepare(sql).run(parameters)
        bytes += sizeOf(parameters)
      }
      if (!isOne) current().exec('COMMIT')
      scheduleCheckpoint(bytes)
    },
    abandon,
    undo,
    close: async () => {
      clearTimeout(idle)
      await copier.close()
      // Whoever opens it next finds one file, and no log to go through.
      quietly(() => connection?.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
      isClosed = true
      for (const open of [failed, connection]) quietly(() => open?.close())
      connection = undefined
    },
  }
}

function openConnection(file: string, driver: Driver): { connection: Connection; version: number } {
  // Made by us, so that it is private from its first byte; SQLite gives its side files the same mode.
  closeSync(openSync(file, 'a', 0o600))
  const connection = driver(file, { readOnly: false })
  try {
    // We hold the writer's lock, so only a stranger can be in the way; waiting holds up everything.
    connection.exec('PRAGMA busy_timeout = 500')
    // Of a new database only. An entry has some 2 KB: of pages of 4 KB a quarter would stay empty.
    connection.exec('PRAGMA page_size = 8192')
    const mode = connection.prepare('PRAGMA journal_mode = WAL').rows([])[0]?.[0]
    if (mode !== 'wal') {
      throw new StoreError(
        'BELAY_STORE_IO',
        `${file}: this file system allows no write-ahead log (got ${mode}); keep the store on a local disk`,
      )
    }
    connection.exec('PRAGMA synchronous = FULL')
    connection.exec('PRAGMA wal_autocheckpoint = 0')
    connection.exec('PRAGMA foreign_keys = ON')
    connection.exec('PRAGMA recursive_triggers = ON')
    // What is trimmed must be gone from the file as well.
    connection.exec('PRAGMA secure_delete = ON')
    connection.exec('PRAGMA trusted_schema = OFF')
    const version = migrate(connection, file)
    requireOwnSchema(connection, driver, file)
    return { connection, version }
  } catch (error) {
    quietly(() => connection.close())
    throw explainDatabaseError(error, file)
  }
}

/** Before closing: statements that still stand keep a closed connection, and its locks, alive. */
function rollBack(connection: Connection): void {
  try {
    connection.exec('ROLLBACK')
  } catch (error) {
    // Most failures end the transaction by themselves.
    if (!(error instanceof Error && /no transaction is active/.test(error.message))) throw error
  }
}

function sizeOf(parameters: readonly SqlValue[]): number {
  let bytes = 0
  for (const value of parameters) if (typeof value === 'string' || value instanceof Uint8Array) bytes += value.length
  return bytes
}

/** For what may fail without loss: whatever is wrong with the disk, the next commit says it. */
function quietly(work: () => void): void {
  try {
    work()
  } catch (error) {
    void error
  }
}
