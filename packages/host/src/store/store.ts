// What the rest of Belay knows of its database: typed queries, prepared reads, and one way to write durably.
// Invariant: when `commit` or `transact` resolves, what it wrote is on disk; when it rejects, nothing was acknowledged.
import type { CompiledQuery, Kysely } from 'kysely'
import type { SqlValue } from './driver/driver.ts'
import type { Tables } from './table/tables.ts'

export type { SqlValue } from './driver/driver.ts'

/** A statement compiled once; its parameters come with each use, in the order in which the query named them. */
export interface PreparedWrite {
  readonly sql: string
  /** The same for several rows at once, where the database gains by it. */
  readonly rows?: string
}

export interface Write {
  readonly statement: PreparedWrite
  readonly parameters: readonly SqlValue[]
}

/** What Kysely builds. */
export interface Query {
  compile(): CompiledQuery
}

export type PreparedRead = (parameters: readonly SqlValue[]) => Promise<readonly (readonly SqlValue[])[]>

export interface Store {
  /** Where it is, for people. */
  readonly place: string
  /** For a writer: the version that opening it brought it forward from; undefined where it was new or current. */
  readonly migratedFrom?: number
  /** For reading. Sees everything that was committed. */
  readonly db: Kysely<Tables>
  prepareRead(query: Query): PreparedRead
  prepareWrite(query: Query): PreparedWrite
  /** All of them or none, in one transaction. The hot path. */
  commit(writes: readonly Write[]): Promise<void>
  /** For writes that need to read as well. Holds up every other write until it is done: keep it short. */
  transact<T>(work: (tx: Kysely<Tables>) => Promise<T>): Promise<T>
  /** A consistent copy of everything, made while reading and writing go on. `file` must not exist. */
  backup(file: string): Promise<void>
  close(): Promise<void>
}
