// Rows of many entries as a part of one statement: one list for each column, and a column that says the same in every row only once.
import type { UploadedHead } from '@belay/core/team'
import { type RawBuilder, sql } from 'kysely'

export interface CheckedRow {
  readonly seq: number
  readonly head: UploadedHead
  /** Head, and body where there is one, are what the machine's ledger holds; else only the hash is. */
  readonly isProved: boolean
}

type Value = string | number | boolean | null | undefined

interface Column {
  readonly name: string
  readonly type: string
  read(row: CheckedRow): Value
}

const COLUMNS: readonly Column[] = [
  { name: 'seq', type: 'bigint', read: row => row.seq },
  { name: 'format', type: 'smallint', read: row => row.head.format },
  { name: 'is_proved', type: 'boolean', read: row => row.isProved },
  { name: 'id', type: 'text', read: row => row.head.id },
  { name: 'time', type: 'text', read: row => row.head.time },
  { name: 'actor', type: 'text', read: row => row.head.actor },
  { name: 'session', type: 'text', read: row => row.head.session },
  { name: 'kind', type: 'text', read: row => row.head.kind },
  { name: 'policy', type: 'text', read: row => row.head.policy },
  { name: 'judge', type: 'text', read: row => row.head.judge },
  { name: 'rule', type: 'text', read: row => row.head.rule },
  { name: 'tool', type: 'text', read: row => row.head.tool },
  { name: 'verdict', type: 'text', read: row => row.head.verdict },
  { name: 'body_hash', type: 'text', read: row => row.head.bodyHash },
  { name: 'body', type: 'text', read: row => row.head.body },
  { name: 'salt', type: 'text', read: row => row.head.salt },
  { name: 'erased', type: 'jsonb', read: row => row.head.erased && JSON.stringify(row.head.erased) },
]

/** Adds them to the chain that was `moved`; undefined: there are none. */
export function insertEntries(day: string, rows: readonly CheckedRow[]): RawBuilder<unknown> | undefined {
  if (rows.length === 0) return undefined
  const lists: RawBuilder<unknown>[] = []
  const listed: RawBuilder<unknown>[] = []
  const picked = COLUMNS.map(({ name, type, read }) => {
    const values = rows.map(read)
    // The place is always a list: how many rows there are is told by it.
    if (name !== 'seq' && values.every(value => value === values[0])) return sql`${values[0] ?? null}::${sql.raw(type)}`
    lists.push(sql`${formatArray(values)}::${sql.raw(type)}[]`)
    listed.push(sql.ref(name))
    return sql.ref(`e.${name}`)
  })
  const names = COLUMNS.map(({ name }) => sql.ref(name))
  return sql`
    INSERT INTO entry (chain, day, ${sql.join(names)}) SELECT moved.id, ${day}::date, ${sql.join(picked)}
    FROM moved, unnest(${sql.join(lists)}) AS e(${sql.join(listed)})`
}

/** As PostgreSQL reads it. The driver writes the same, with four steps for each value in place of one. */
export function formatArray(values: readonly Value[]): string {
  return `{${values.map(formatItem).join(',')}}`
}

function formatItem(value: Value): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value !== 'string') return String(value)
  return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`
}
