// What the counting needs of past entries, newest first, a hundred at a time: a page comes as one value made by the database, which takes a
// third of the time of reading whole entries.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '../store/store.ts'
import { sharedText } from '../store/table/form.ts'
import type { Fields } from './read-fields.ts'

export interface PastDecision {
  readonly timeMs: number
  /** Of the body: verdict (null: the entry is no decision), tookMs, timing, root, rule, parts. */
  readonly body: Fields
}

const PAGE_ROWS = 100

export async function* readDecisionsBack(store: Store, before: number): AsyncGenerator<readonly PastDecision[]> {
  const root = sql`coalesce(body ->> '$.root', shared ->> '$.root')`
  const rule = sql`json(coalesce(body -> '$.rule', shared -> '$.rule'))`
  const fields = sql`json_array(time, body ->> '$.verdict', body ->> '$.tookMs', body -> '$.timing', ${root}, ${rule}, body -> '$.parts')`
  const page = sql`SELECT time, body, ${sharedText()} AS shared FROM ledger WHERE seq >= ${0} AND seq < ${0} ORDER BY seq DESC`
  const query = sql`SELECT json_group_array(${fields}) FROM (${page})`
  const read = store.prepareRead({ compile: () => query.compile(store.db) })
  for (let end = before; end > 1; end -= PAGE_ROWS) {
    const [row] = await read([Math.max(1, end - PAGE_ROWS), end])
    yield parsePage(String(row?.[0] ?? '[]'))
    await nextTurn()
  }
}

function parsePage(json: string): readonly PastDecision[] {
  const rows = JSON.parse(json) as readonly (readonly unknown[])[]
  return rows.map(([time, verdict, tookMs, timing, root, rule, parts]) => ({
    timeMs: Date.parse(String(time)),
    body: { verdict, tookMs, timing, root, rule, parts },
  }))
}
