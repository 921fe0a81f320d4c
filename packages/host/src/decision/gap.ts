// What could not be written when it happened: lines of the log, records of decisions. Nothing of that ends the daemon; once the ledger can be
// written again an entry says how many were lost, since when and why.

import type { EntryDraft } from '@belay/core/ledger'
import { errorText } from '@belay/core/value'
import { GAP, LEDGER_ACTOR } from '../ledger/ledger-kind.ts'

export type Lost = 'log' | 'record'

export interface Gaps {
  note(what: Lost, error: unknown): void
  /** From now on there is a ledger to write to. */
  open(append: (draft: EntryDraft) => Promise<unknown>): void
  /** A last try. */
  close(): Promise<void>
}

interface Gap {
  lost: number
  readonly from: string
  to: string
  readonly why: string
}

const RETRY_MS = 1000

export function createGaps(now: () => number): Gaps {
  const gaps = new Map<Lost, Gap>()
  let append: ((draft: EntryDraft) => Promise<unknown>) | null = null
  let timer: NodeJS.Timeout | null = null

  async function write(): Promise<void> {
    timer = null
    for (const [what, gap] of [...gaps]) {
      if (append === null) break
      gaps.delete(what)
      try {
        await append({ actor: LEDGER_ACTOR, session: null, kind: GAP, policy: null, body: { what, ...gap } })
      } catch {
        // Still no room for it: it is one gap with what was lost meanwhile.
        const since = gaps.get(what)
        gaps.set(what, { ...gap, lost: gap.lost + (since?.lost ?? 0), to: since?.to ?? gap.to })
      }
    }
    if (gaps.size > 0) schedule()
  }

  function schedule(): void {
    if (timer === null) timer = setTimeout(() => void write(), RETRY_MS).unref()
  }

  return {
    note(what, error) {
      const at = new Date(now()).toISOString()
      const known = gaps.get(what)
      if (known === undefined) gaps.set(what, { lost: 1, from: at, to: at, why: errorText(error) })
      else Object.assign(known, { lost: known.lost + 1, to: at })
      schedule()
    },
    open(to) {
      append = to
    },
    async close() {
      if (timer !== null) clearTimeout(timer)
      await write()
      if (timer !== null) clearTimeout(timer)
    },
  }
}
