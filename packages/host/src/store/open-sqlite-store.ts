// The embedded store: one SQLite file, one writer under a lock, readers beside it.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { CompiledQuery } from 'kysely'
import { makeFolder } from '../disk/make-folder.ts'
import type { Connection, Driver, Statement } from './driver/driver.ts'
import { loadDriver } from './driver/load-driver.ts'
import { repeatRow } from './join-rows.ts'
import { CURRENT_VERSION, requireCurrent } from './migrate.ts'
import { createKysely } from './sqlite-dialect.ts'
import { openSqliteWriter, type SqliteWriter } from './sqlite-writer.ts'
import type { PreparedRead, Query, Store, Write } from './store.ts'
import { explainDatabaseError, isTaken, StoreError } from './store-error.ts'
import { syncFile } from './sync-file.ts'
import { acquireWriterLock } from './writer-lock.ts'

export interface StoreOptions {
  readonly file: string
  /** Readers take no lock and change nothing. */
  readonly readOnly?: boolean
  /** For readers: see everything as it is at opening, whatever is written meanwhile. */
  readonly snapshot?: boolean
  readonly lockWaitMs?: number
  readonly driver?: Driver
}

export async function openSqliteStore(options: StoreOptions): Promise<Store> {
  const driver = options.driver ?? (await loadDriver())
  if (options.readOnly) return createStore(options.file, openReader(options.file, driver, options.snapshot))
  requireNoHalfRestore(options.file)
  makeFolder(dirname(options.file), 0o700)
  const unlock = await acquireWriterLock(options.file, { driver, waitMs: options.lockWaitMs ?? 5000 })
  try {
    const writer = openSqliteWriter(options.file, driver)
    return createStore(options.file, openReader(options.file, driver), writer, unlock)
  } catch (error) {
    unlock()
    throw explainDatabaseError(error, options.file)
  }
}

/** Where a backup stands until it takes the place of the database. */
export function restoringFile(file: string): string {
  return `${file}.restoring`
}

/** The database was moved aside, and then the power went: a new one would hide that. */
function requireNoHalfRestore(file: string): void {
  if (existsSync(file) || !existsSync(restoringFile(file))) return
  throw new StoreError('BELAY_STORE_MISSING', `${file} is not there because a restore was interrupted; run \`belay restore FILE\` again`)
}

function openReader(file: string, driver: Driver, snapshot = false): Connection {
  if (!existsSync(file))
    throw new StoreError('BELAY_STORE_MISSING', `${file} does not exist; \`belay up\` or any command that records makes it`)
  let connection: Connection | undefined
  try {
    connection = driver(file, { readOnly: true })
    connection.exec('PRAGMA busy_timeout = 5000')
    connection.exec('PRAGMA trusted_schema = OFF')
    requireCurrent(connection, file)
    return snapshot ? takeSnapshot(connection) : connection
  } catch (error) {
    connection?.close()
    throw explainDatabaseError(error, file)
  }
}

function takeSnapshot(reader: Connection): Connection {
  reader.exec('BEGIN')
  // A transaction begins with its first read.
  reader.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').rows([])
  const close = (): void => {
    // Before closing: statements that still stand keep a closed connection, and its locks, alive.
    reader.exec('ROLLBACK')
    reader.close()
  }
  return { ...reader, close }
}

function createStore(file: string, reader: Connection, writer?: SqliteWriter, unlock?: () => void): Store {
  const db = createKysely(() => reader, file)
  const writing = writer && createKysely(writer.connection, file)
  const exclusively = createQueue()

  const write = <T>(work: (open: SqliteWriter) => T | Promise<T>): Promise<T> =>
    exclusively(async () => {
      if (!writer) throw new StoreError('BELAY_STORE_IO', `${file} is open for reading only`)
      try {
        return await work(writer)
      } catch (error) {
        const explained = explainDatabaseError(error, file)
        if (isTaken(explained)) writer.undo()
        else writer.abandon()
        throw explained
      }
    })

  return {
    place: file,
    ...(writer && writer.version > 0 && writer.version < CURRENT_VERSION && { migratedFrom: writer.version }),
    db,
    prepareRead: query => prepareRead(reader, query, file),
    prepareWrite: query => {
      const { sql } = query.compile()
      const rows = repeatRow(sql)
      return rows === undefined ? { sql } : { sql, rows }
    },
    commit: (writes: readonly Write[]) => write(open => open.commit(writes)),
    transact: work =>
      write(async open => {
        open.begin()
        const result = await work(writing ?? db)
        open.end()
        return result
      }),
    backup: async target => {
      await db.executeQuery(CompiledQuery.raw('VACUUM INTO ?', [target])).catch(error => {
        throw explainDatabaseError(error, target)
      })
      syncFile(target)
    },
    close: () =>
      exclusively(async () => {
        reader.close()
        await writer?.close()
        unlock?.()
      }),
  }
}

function prepareRead(reader: Connection, query: Query, file: string): PreparedRead {
  const { sql } = query.compile()
  let statement: Statement | undefined
  return async parameters => {
    try {
      statement ??= reader.prepare(sql)
      return statement.rows(parameters)
    } catch (error) {
      throw explainDatabaseError(error, file)
    }
  }
}

/** Runs one piece of work at a time, in the order of the calls. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
}
