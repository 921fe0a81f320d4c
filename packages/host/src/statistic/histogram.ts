// Durations counted in classes, each a fifth wider than the one before: small, quick to add to, and percentiles are good to a tenth.

export type Histogram = Uint32Array

/** From a microsecond to about ten minutes. */
const CLASSES = 120
const PER_DOUBLING = 4

export function createHistogram(): Histogram {
  return new Uint32Array(CLASSES)
}

export function addDuration(histogram: Histogram, ms: number): void {
  const index = Math.round(Math.log2(Math.max(ms * 1000, 1)) * PER_DOUBLING)
  const place = Math.min(index, CLASSES - 1)
  histogram[place] = (histogram[place] ?? 0) + 1
}

export function addHistogram(histogram: Histogram, other: Histogram): void {
  for (let index = 0; index < CLASSES; index++) histogram[index] = (histogram[index] ?? 0) + (other[index] ?? 0)
}

/** `part` from 0 to 1; null: nothing was counted. */
export function percentile(histogram: Histogram, part: number): number | null {
  let total = 0
  for (const count of histogram) total += count
  if (total === 0) return null
  let left = Math.max(1, Math.ceil(total * part))
  let index = 0
  while (index < CLASSES - 1) {
    left -= histogram[index] ?? 0
    if (left <= 0) break
    index++
  }
  return round(2 ** (index / PER_DOUBLING) / 1000)
}

/** As it is kept: only the classes that hold something. */
export function encodeHistogram(histogram: Histogram): string {
  return JSON.stringify(Object.fromEntries([...histogram.entries()].filter(([, count]) => count > 0)))
}

export function decodeHistogram(text: string): Histogram {
  const histogram = createHistogram()
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return histogram
  for (const [index, count] of Object.entries(value))
    if (Number(index) < CLASSES && typeof count === 'number') histogram[Number(index)] = count
  return histogram
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
