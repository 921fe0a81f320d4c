// Event ids that were delivered, and the entry each became: a second delivery finds the first one's entry.
import { type ColumnType, sql } from 'kysely'
import type { Store, Write } from '../store.ts'

export interface DeliveryTable {
  event_id: ColumnType<string, string, never>
  seq: ColumnType<number, number, never>
}

export function prepareDeliveryInsert(store: Store): (eventId: string, seq: number) => Write {
  const statement = store.prepareWrite(store.db.insertInto('deliveries').values({ event_id: '', seq: 0 }))
  return (eventId, seq) => ({ statement, parameters: [eventId, seq] })
}

/** How many are looked up in one call: a call takes longer than finding one. */
const AT_ONCE = 8

/** The seq of each, in the order of the ids; undefined where it was never delivered. */
export function prepareDeliveryFind(store: Store): (eventIds: readonly string[]) => Promise<readonly (number | undefined)[]> {
  // Each under a name of its own: a driver may give rows as objects.
  const each = Array.from({ length: AT_ONCE }, (_, n) => sql`(SELECT seq FROM deliveries WHERE event_id = ${''}) AS ${sql.ref(`seq${n}`)}`)
  const query = sql`SELECT ${sql.join(each)}`
  const find = store.prepareRead({ compile: () => query.compile(store.db) })
  return async eventIds => {
    const found: (number | undefined)[] = []
    for (let at = 0; at < eventIds.length; at += AT_ONCE) {
      const ids = eventIds.slice(at, at + AT_ONCE)
      const [seqs = []] = await find([...ids, ...Array<null>(AT_ONCE - ids.length).fill(null)])
      for (const index of ids.keys()) found.push(typeof seqs[index] === 'number' ? seqs[index] : undefined)
    }
    return found
  }
}
