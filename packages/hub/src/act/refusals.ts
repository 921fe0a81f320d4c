// What somebody tried and may not do stands in the hub's own record too. The same try again within a minute is counted, not recorded, and so is
// what one actor tries beyond a few different things a minute: nobody can fill the record by trying.
import type { NoteSigner } from '@belay/core/ledger'
import { BoundedMap, errorText } from '@belay/core/value'
import type { Database } from '../database/open-database.ts'
import { recordAct } from './record-act.ts'

export interface Refusal {
  readonly actor: string
  readonly kind: 'refused' | 'login_refused' | 'token_refused' | 'bundle_refused' | 'upload_refused' | 'approval_refused'
  readonly body: Readonly<Record<string, unknown>>
}

export interface Refusals {
  /** Resolves when it is on record. */
  note(refusal: Refusal): Promise<void>
}

const AGAIN_MS = 60_000
const MAX_KNOWN = 1000
/** Different tries of one actor within a minute. */
const MAX_DIFFERENT = 50

export function createRefusals(db: Database, signer: NoteSigner, log: (line: string) => void): Refusals {
  const known = new BoundedMap<string, { at: number; again: number }>(MAX_KNOWN)
  const actors = new BoundedMap<string, { at: number; different: number; more: number }>(MAX_KNOWN)
  /** What was only counted before; null: this is only counted too. */
  const countOf = (actor: string): number | null => {
    const last = actors.get(actor)
    if (!last || performance.now() - last.at >= AGAIN_MS) {
      actors.set(actor, { at: performance.now(), different: 1, more: 0 })
      return last?.more ?? 0
    }
    if (last.different === MAX_DIFFERENT) last.more++
    else last.different++
    return last.more > 0 ? null : 0
  }
  return {
    note: async ({ actor, kind, body }) => {
      const key = JSON.stringify([actor, kind, body])
      const last = known.get(key)
      if (last && performance.now() - last.at < AGAIN_MS) {
        last.again++
        return
      }
      const more = countOf(actor)
      if (more === null) return
      known.set(key, { at: performance.now(), again: 0 })
      const again = { ...(last && last.again > 0 && { again: last.again }), ...(more > 0 && { more }) }
      // Whoever tries is refused, whether it can be recorded now or not.
      await db
        .transaction()
        .execute(tx => recordAct(tx, signer, { actor, kind, body: { ...body, ...again } }))
        .catch(error => log(`a refusal could not be recorded: ${errorText(error)}`))
    },
  }
}
