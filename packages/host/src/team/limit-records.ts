// A hub that lies cannot fill this machine's ledger: of what it is refused for, a few entries a minute are recorded, by kind, and how many more
// there were stands in the next one.
export interface RecordLimit {
  /** What to record beside it; null: this one is only counted. */
  admit(kind: string): { readonly more?: number } | null
}

const WINDOW_MS = 60_000
const MAX_RECORDED = 5

/** `monotonic`: the clock that nobody sets. */
export function createRecordLimit(monotonic: () => number): RecordLimit {
  const kinds = new Map<string, { since: number; recorded: number; counted: number }>()
  return {
    admit: kind => {
      const now = monotonic()
      const known = kinds.get(kind)
      const isOver = known === undefined || now - known.since >= WINDOW_MS
      if (!isOver && known.recorded >= MAX_RECORDED) {
        known.counted++
        return null
      }
      const more = known?.counted ?? 0
      kinds.set(kind, { since: isOver ? now : known.since, recorded: isOver ? 1 : known.recorded + 1, counted: 0 })
      return more === 0 ? {} : { more }
    },
  }
}
