// The team's PostgreSQL. Statements are never prepared by name and locks never outlive their transaction, so a pooler in transaction mode may
// stand between.
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

export interface OpenDatabase {
  readonly db: Database
  close(): Promise<void>
}

const INT8 = 20
const DATE = 1082
const POOL_SIZE = 10
const CONNECT_MS = 5000
/** No query of ours takes that long; one that does is cut off, and its request answered with an error that is tried again. */
const STATEMENT_MS = 30_000

const parsers = new pg.TypeOverrides()
parsers.setTypeParser(INT8, text => Number(text))
parsers.setTypeParser(DATE, text => text)

export function openDatabase(url: string, onError: (message: string) => void = () => undefined): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    types: parsers,
  })
  // A connection that breaks while nobody uses it: the next request opens another.
  pool.on('error', error => onError(`a connection to the database was lost: ${error.message}`))
  // One that breaks between two questions of a request: that request fails by itself, the process must not.
  pool.on('connect', client => client.on('error', () => undefined))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { db, close: () => db.destroy() }
}
