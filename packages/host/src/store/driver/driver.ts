// The seam between the store and whichever SQLite this Node offers. Everything is synchronous, as SQLite is; the store above is not.

export type SqlValue = string | number | bigint | null | Uint8Array

export interface Statement {
  run(parameters: readonly SqlValue[]): { readonly changes: number }
  /** Rows as objects. */
  all(parameters: readonly SqlValue[]): readonly Readonly<Record<string, SqlValue>>[]
  /** Rows as arrays, in the order of the columns: three times as fast as objects. */
  rows(parameters: readonly SqlValue[]): readonly (readonly SqlValue[])[]
}

export interface Connection {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

export interface ConnectionOptions {
  readonly readOnly: boolean
}

export type Driver = (file: string, options: ConnectionOptions) => Connection
