// A ledger changes its format once: rows of the first, then the entry that says so, then rows of the second.
import type { Fault } from '@belay/core/ledger'
import type { FormatSpan } from '../../store/table/ledger.ts'

export const NO_FORMATS: FormatSpan = { lastPlain: 0, firstSalted: 0 }

/** `later`: of rows behind those of `earlier`. */
export function addFormat(earlier: FormatSpan, later: FormatSpan): FormatSpan {
  return {
    lastPlain: Math.max(earlier.lastPlain, later.lastPlain),
    firstSalted: earlier.firstSalted === 0 ? later.firstSalted : earlier.firstSalted,
  }
}

/** `switches`: the entries that say that the format changes. It is never dropped, so it is there wherever a row of the first format is. */
export function findFormatFault({ lastPlain, firstSalted }: FormatSpan, switches: readonly number[]): Fault | undefined {
  if (lastPlain === 0 || firstSalted === 0) return undefined
  if (lastPlain > firstSalted) return { seq: lastPlain, kind: 'chain', what: 'a row of the first format stands behind one of the second' }
  return switches.includes(firstSalted)
    ? undefined
    : { seq: firstSalted, kind: 'chain', what: 'the format changes here, and no entry says so' }
}
