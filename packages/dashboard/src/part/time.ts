// Times as people read them, in their own zone.

export function clock(time: string | number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? String(time) : CLOCK.format(date)
}

export function dayAndClock(time: string | number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? String(time) : DAY.format(date)
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' })

const STEPS = [
  [60, 's'],
  [60, 'min'],
  [24, 'h'],
  [Number.POSITIVE_INFINITY, 'd'],
] as const

/** `4 s`, `12 min`, `3 h`, `2 d`; never negative. */
export function span(ms: number): string {
  let value = Math.max(0, Math.floor(ms / 1000))
  for (const [size, unit] of STEPS) {
    if (value < size) return `${value} ${unit}`
    value = Math.floor(value / size)
  }
  return ''
}

/** Three figures are enough. */
export function milliseconds(ms: number | null): string {
  if (ms === null) return '–'
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`
  return `${ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms.toFixed(2)} ms`
}

/** As one says it: `20 ms`, `1.4 s`, `3 min`. */
export function briefly(ms: number): string {
  if (ms < 1) return 'under 1 ms'
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : span(ms)
}
