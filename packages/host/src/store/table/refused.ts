// Rows that stood in the ledger and that its writer did not write: taken out before anything could be sealed over them, and kept for a person.
import type { Generated } from 'kysely'

export interface RefusedTable {
  id: Generated<number>
  seq: number
  hash: string
  noticed_at: string
  /** All columns, as JSON. */
  entry: string
}
