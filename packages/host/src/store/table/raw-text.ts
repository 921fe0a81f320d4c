// Text as the bytes that are kept. A driver may refuse, or worse, end the process, when a damaged file gives it text that is no UTF-8;
// whoever checks a ledger must live to report that. Decoded here, such bytes become U+FFFD, which no hash forgives.
import { type RawBuilder, sql } from 'kysely'

export function rawText(column: string): RawBuilder<Uint8Array> {
  return sql<Uint8Array>`CAST(${sql.ref(column)} AS BLOB)`
}

export function decodeText(bytes: Uint8Array): string {
  return asBuffer(bytes).toString()
}

/** The same bytes. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
