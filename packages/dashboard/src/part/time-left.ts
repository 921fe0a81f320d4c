// How long a request still waits, in words that keep their width: `14:59`, `2 h 05 min`, `6 d`.

export interface TimeLeft {
  readonly text: string
  /** Less than a minute: somebody should look now. */
  readonly isUrgent: boolean
  readonly isOver: boolean
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export function timeLeft(expiresAt: string, nowMs: number): TimeLeft {
  const leftMs = Date.parse(expiresAt) - nowMs
  if (!(leftMs > 0)) return { text: 'over', isUrgent: false, isOver: true }
  return { text: formatLeft(leftMs), isUrgent: leftMs < MINUTE_MS, isOver: false }
}

/** The agent waits for the answer. By the clock: that it was refused is heard of later. */
export function isHeld(heldUntil: string | null, nowMs: number): boolean {
  return heldUntil !== null && !timeLeft(heldUntil, nowMs).isOver
}

function formatLeft(leftMs: number): string {
  if (leftMs >= DAY_MS) return `${Math.floor(leftMs / DAY_MS)} d`
  const minutes = Math.floor((leftMs % HOUR_MS) / MINUTE_MS)
  if (leftMs >= HOUR_MS) return `${Math.floor(leftMs / HOUR_MS)} h ${twoDigits(minutes)} min`
  return `${minutes}:${twoDigits(Math.floor((leftMs % MINUTE_MS) / 1000))}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
