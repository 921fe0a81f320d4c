// Sizes as people write them: 4096, "500MB", "1.5 GiB". K, M, G alone count by 1024, as in ls and df.

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  K: 1024,
  KB: 1000,
  KIB: 1024,
  M: 1024 ** 2,
  MB: 1000 ** 2,
  MIB: 1024 ** 2,
  G: 1024 ** 3,
  GB: 1000 ** 3,
  GIB: 1024 ** 3,
  T: 1024 ** 4,
  TB: 1000 ** 4,
  TIB: 1024 ** 4,
}

/** Null: not a size. */
export function parseSize(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null
  if (typeof value !== 'string') return null
  const match = /^\s*(\d+(?:\.\d+)?)\s*([A-Za-z]{0,3})\s*$/.exec(value)
  const unit = UNITS[match?.[2]?.toUpperCase() ?? '?']
  return match === null || unit === undefined ? null : Math.round(Number(match[1]) * unit)
}

export function formatSize(bytes: number): string {
  for (const unit of ['TB', 'GB', 'MB', 'KB']) {
    const one = UNITS[unit] ?? 1
    if (bytes >= one) return `${(bytes / one).toFixed(1)} ${unit}`
  }
  return `${bytes} bytes`
}
