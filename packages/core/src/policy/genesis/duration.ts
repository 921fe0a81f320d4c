// Durations as people write them: `500ms`, `30s`, `5m`, `24h`, `7d`, or a bare number of seconds.

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds, or null where the value is no positive duration. */
export function parseDuration(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value > 0 ? Math.round(value * 1000) : null
  if (typeof value !== 'string') return null
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(value.trim())
  if (match === null) return null
  const milliseconds = Math.round(Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? Number.NaN))
  return Number.isSafeInteger(milliseconds) && milliseconds > 0 ? milliseconds : null
}
