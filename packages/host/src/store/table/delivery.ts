// Event ids that were delivered, and the entry each became: a second delivery finds the first one's entry.
import type { ColumnType } from 'kysely'
import type { Store, Write } from '../store.ts'

export interface DeliveryTable {
  event_id: ColumnType<string, string, never>
  seq: ColumnType<number, number, never>
}

export function prepareDeliveryInsert(store: Store): (eventId: string, seq: number) => Write {
  const statement = store.prepareWrite(store.db.insertInto('deliveries').values({ event_id: '', seq: 0 }))
  return (eventId, seq) => ({ statement, parameters: [eventId, seq] })
}

export function prepareDeliveryFind(store: Store): (eventId: string) => Promise<number | undefined> {
  const find = store.prepareRead(store.db.selectFrom('deliveries').select('seq').where('event_id', '=', ''))
  return async eventId => {
    const [row] = await find([eventId])
    return row === undefined ? undefined : Number(row[0])
  }
}
