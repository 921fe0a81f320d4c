// The stretch of time that the lanes show: the last minutes, which goes on with the clock, or one that was chosen and stays.

export interface Range {
  readonly from: number
  readonly until: number
}

const MIN_MS = 5000
const MAX_MS = 30 * 86_400_000
const FALLBACK_MS = 15 * 60_000
const SHORTEST_MS = 60_000
/** Of the picture, before the first that happened. */
const EDGE = 0.03

/**
 * `span` in minutes, up to now; `from` and `until` as ISO times hold before it. Where nothing was chosen it begins no earlier than what is
 * known (`firstMs`), so that a young fleet is not a sliver at the edge.
 */
export function readRange(params: URLSearchParams, nowMs: number, firstMs: number | null = null): Range & { readonly isLive: boolean } {
  const [from, until] = [Date.parse(params.get('from') ?? ''), Date.parse(params.get('until') ?? '')]
  if (from < until) return { from, until, isLive: false }
  const minutes = Number(params.get('span'))
  if (minutes > 0) return { from: nowMs - minutes * 60_000, until: nowMs, isLive: true }
  const shortMs = firstMs === null ? FALLBACK_MS : Math.max(SHORTEST_MS, (nowMs - firstMs) * (1 + EDGE))
  return { from: nowMs - Math.min(FALLBACK_MS, shortMs), until: nowMs, isLive: true }
}

/** Around its middle: less than 1 comes closer. */
export function zoom({ from, until }: Range, factor: number): Range {
  const half = Math.min(MAX_MS, Math.max(MIN_MS, (until - from) * factor)) / 2
  const middle = (from + until) / 2
  return { from: middle - half, until: middle + half }
}

/** By a part of what is in sight. */
export function move({ from, until }: Range, share: number): Range {
  const by = (until - from) * share
  return { from: from + by, until: until + by }
}

/** What lies between two places of the picture, 0 to 1; null: too little to have been meant. */
export function cutRange({ from, until }: Range, a: number, b: number): Range | null {
  const [left, right] = [Math.min(a, b), Math.max(a, b)]
  if (right - left < 0.01) return null
  const at = (share: number) => from + (until - from) * Math.min(1, Math.max(0, share))
  const cut = { from: at(left), until: at(right) }
  return cut.until - cut.from < MIN_MS ? zoom(cut, MIN_MS / (cut.until - cut.from)) : cut
}
