// Inserts into one table that follow each other become inserts of several rows: each call into the database costs as much as a row.
import type { SqlValue, Write } from './store.ts'

export interface Call {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** One size only, so that there are few statements to prepare. */
const ROWS = 8
const INSERT = /^(insert into .* values )(\([?', ]+\))$/is

export function* joinRows(writes: readonly Write[]): Generator<Call> {
  for (let at = 0; at < writes.length; ) {
    const write = writes[at] as Write
    const joined = write.statement.rows === undefined ? undefined : joinNext(writes, at)
    yield joined ?? { sql: write.statement.sql, parameters: write.parameters }
    at += joined ? ROWS : 1
  }
}

/** The text of an insert of ROWS rows, where `sql` inserts one. */
export function repeatRow(sql: string): string | undefined {
  const [, start, row] = INSERT.exec(sql) ?? []
  return start === undefined || row === undefined ? undefined : start + Array(ROWS).fill(row).join(', ')
}

function joinNext(writes: readonly Write[], at: number): Call | undefined {
  const statement = writes[at]?.statement
  if (statement?.rows === undefined || at + ROWS > writes.length) return undefined
  const parameters: SqlValue[] = []
  for (let next = at; next < at + ROWS; next++) {
    const write = writes[next] as Write
    if (write.statement !== statement) return undefined
    // One by one: flatMap takes as long as the database takes for half a row.
    for (const value of write.parameters) parameters.push(value)
  }
  return { sql: statement.rows, parameters }
}
