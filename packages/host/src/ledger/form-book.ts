// Which forms the writer knows: those written last. One that it has forgotten is written again under another id, which does no harm.
// Invariant: a form is known here only when it is on disk. What a batch adds becomes known once the batch is.
import type { SplitBody } from '@belay/core/ledger'
import { BoundedMap } from '@belay/core/value'
import type { Store } from '../store/store.ts'
import type { NewForm } from '../store/table/form.ts'
import type { KeptParts } from '../store/table/ledger.ts'

export interface FormBook {
  /** For one batch. */
  begin(): FormBatch
}

export interface FormBatch {
  /** How an entry with this policy and body is kept. */
  partsOf(policy: string | null, body: SplitBody): KeptParts
  /** What has to be written for it. */
  readonly added: readonly NewForm[]
  /** It is on disk. */
  keep(): void
}

/** At most, and always of those with the highest ids. */
export const FORMS_KNOWN = 512

export async function readFormBook({ db }: Store): Promise<FormBook> {
  const rows = await db.selectFrom('forms').select(['id', 'policy', 'text']).orderBy('id', 'desc').limit(FORMS_KNOWN).execute()
  const known = new BoundedMap<string, number>(FORMS_KNOWN)
  for (const { id, policy, text } of rows.toReversed()) known.set(keyOf(policy, text), id)
  let last = rows[0]?.id ?? 0
  return {
    begin() {
      const added: NewForm[] = []
      const fresh = new Map<string, number>()
      return {
        added,
        partsOf(policy, { form: text, own }) {
          if (text === null) return { form: null, own, policy }
          const key = keyOf(policy, text)
          let form = known.get(key) ?? fresh.get(key)
          if (form === undefined) {
            form = last + added.length + 1
            added.push({ id: form, policy, text })
            fresh.set(key, form)
          }
          return { form, own, policy: null }
        },
        keep() {
          for (const [key, id] of fresh) known.set(key, id)
          last += added.length
        },
      }
    },
  }
}

function keyOf(policy: string | null, text: string): string {
  return `${policy ?? ''} ${text}`
}
