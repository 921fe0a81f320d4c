// The last entries of all machines, each once, the newest first. What comes again is known by its chain and place.
import type { Live } from '#hub/api.ts'

const MAX_ROWS = 1000

export function mergeLive(before: readonly Live[], fresh: readonly Live[]): readonly Live[] {
  const known = new Set(before.map(keyOf))
  const added = fresh.filter(entry => !known.has(keyOf(entry)))
  if (added.length === 0) return before
  return [...added, ...before].sort(byArrival).slice(0, MAX_ROWS)
}

function byArrival(one: Live, other: Live): number {
  if (one.received !== other.received) return one.received < other.received ? 1 : -1
  return one.chain === other.chain ? other.seq - one.seq : one.chain - other.chain
}

function keyOf({ chain, seq }: Live): string {
  return `${chain} ${seq}`
}
