// Whether a database has the tables, columns, indexes and triggers that our own steps make, and no others. A view in the place of a table, a
// dropped trigger or an added one would let a check read something other than what was written.
import type { Connection, Driver } from './driver/driver.ts'
import { migrate } from './migrate.ts'
import { StoreError } from './store-error.ts'

/** `trigger ledger_keeps` -> its text. */
type Schema = ReadonlyMap<string, string>

/** In hex: damaged text is not text that a driver gives back. */
export const SCHEMA_QUERY =
  "SELECT hex(type || ' ' || name), hex(sql) FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid"

const expected = new WeakMap<Driver, Schema>()

/** One sentence for each difference; none: the schema is ours. */
export function listSchemaChanges(rows: readonly (readonly unknown[])[], driver: Driver): readonly string[] {
  const ours = readExpected(driver)
  const found = toSchema(rows)
  const added = [...found.keys()].filter(name => !ours.has(name)).map(name => `${name} was added`)
  const changed = [...ours].flatMap(([name, text]) => {
    const there = found.get(name)
    if (there === undefined) return [`${name} is missing`]
    return there === text ? [] : [`${name} was changed`]
  })
  return [...changed, ...added]
}

/** Nothing is written to a database that another program has changed: a trigger of its own could rewrite each row. */
export function requireOwnSchema(connection: Connection, driver: Driver, file: string): void {
  const changes = listSchemaChanges(connection.prepare(SCHEMA_QUERY).rows([]), driver)
  if (changes.length === 0) return
  const remedy = 'undo that, or restore a backup (belay restore FILE); belay ledger verify says whether records were changed'
  throw new StoreError('BELAY_STORE_CORRUPT', `${file}: another program changed its schema (${changes.join('; ')}); ${remedy}`)
}

function readExpected(driver: Driver): Schema {
  const known = expected.get(driver)
  if (known) return known
  const connection = driver(':memory:', { readOnly: false })
  try {
    migrate(connection, ':memory:')
    const schema = toSchema(connection.prepare(SCHEMA_QUERY).rows([]))
    expected.set(driver, schema)
    return schema
  } finally {
    connection.close()
  }
}

function toSchema(rows: readonly (readonly unknown[])[]): Schema {
  return new Map(rows.map(([name, sql]) => [decodeHex(name), decodeHex(sql)]))
}

function decodeHex(text: unknown): string {
  return Buffer.from(String(text), 'hex').toString()
}
