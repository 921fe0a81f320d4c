// One timer for every hook that is still running, however many there are. Most hooks end within the turn they began in and never see it:
// the list is first looked at in the next turn, which is also when a hook's time starts to count.

/** Something that must end by itself or be ended. A link of the list of running hooks. */
export interface Watched {
  /** How long it has from now on. Asked once. */
  timeLeftMs(): number
  /** Its time is up. */
  expire(): void
  /** When it ends, by performance.now(); 0: its time has not begun. */
  dueAt: number
  previous: Watched | null
  next: Watched | null
}

let first: Watched | null = null
let lookScheduled = false
let timer: NodeJS.Timeout | null = null
let timerAt = Number.POSITIVE_INFINITY

export function watch(watched: Watched): void {
  watched.next = first
  if (first !== null) first.previous = watched
  first = watched
  if (lookScheduled) return
  lookScheduled = true
  setImmediate(lookNext)
}

export function unwatch(watched: Watched): void {
  const { previous, next } = watched
  if (previous !== null) previous.next = next
  else if (first === watched) first = next
  if (next !== null) next.previous = previous
  watched.previous = null
  watched.next = null
  if (first === null && timer !== null) stopTimer()
}

function lookNext(): void {
  lookScheduled = false
  look()
}

function look(): void {
  const now = performance.now()
  let earliest = Number.POSITIVE_INFINITY
  for (let watched = first; watched !== null; ) {
    const { next } = watched
    if (watched.dueAt === 0) watched.dueAt = now + watched.timeLeftMs()
    if (watched.dueAt <= now) watched.expire()
    else if (watched.dueAt < earliest) earliest = watched.dueAt
    watched = next
  }
  if (earliest < timerAt) startTimer(earliest, now)
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

function startTimer(at: number, now: number): void {
  if (timer !== null) clearTimeout(timer)
  timerAt = at
  // A timer may fire a fraction early; the next whole millisecond does not.
  timer = setTimeout(ring, Math.min(Math.ceil(at - now), LONGEST_TIMER_MS))
}

function stopTimer(): void {
  if (timer !== null) clearTimeout(timer)
  timer = null
  timerAt = Number.POSITIVE_INFINITY
}

function ring(): void {
  stopTimer()
  look()
}
