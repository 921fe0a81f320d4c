// One timer for everything that is still running, however much there is. Most hooks end within the turn they began in and never see it:
// the list is first looked at in the next turn, which is also when a hook's time begins to count.

/** Something that must end by itself or be ended: a link in the list of what is running. */
export interface Watched {
  /** How long it has from now on. Asked once for each start. */
  timeLeftMs(): number
  /** Its time is up. */
  expire(): void
  /** When its time is up, by performance.now(); null: its time has not begun. */
  dueAt: number | null
  previous: Watched | null
  next: Watched | null
}

let first: Watched | null = null
let isCheckComing = false
let timer: NodeJS.Timeout | null = null
let timerAt = Number.POSITIVE_INFINITY

export function watch(watched: Watched): void {
  watched.next = first
  if (first !== null) first.previous = watched
  first = watched
  restart(watched)
}

/** Something that is watched begins anew, with its full time. */
export function restart(watched: Watched): void {
  watched.dueAt = null
  if (isCheckComing) return
  isCheckComing = true
  setImmediate(checkInNextTurn)
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

function checkInNextTurn(): void {
  isCheckComing = false
  checkDue()
}

function checkDue(): void {
  const now = performance.now()
  const due: Watched[] = []
  let earliest = Number.POSITIVE_INFINITY
  for (let watched = first; watched !== null; watched = watched.next) {
    watched.dueAt ??= now + watched.timeLeftMs()
    if (watched.dueAt <= now) due.push(watched)
    else if (watched.dueAt < earliest) earliest = watched.dueAt
  }
  if (earliest < timerAt) startTimer(earliest, now)
  // Only now, because ending one changes the list.
  for (const watched of due) watched.expire()
}

const MAX_TIMER_MS = 2 ** 31 - 1

function startTimer(at: number, now: number): void {
  if (timer !== null) clearTimeout(timer)
  timerAt = at
  // A timer may ring a fraction early; at the next whole millisecond it does not.
  timer = setTimeout(ring, Math.min(Math.ceil(at - now), MAX_TIMER_MS))
}

function stopTimer(): void {
  if (timer !== null) clearTimeout(timer)
  timer = null
  timerAt = Number.POSITIVE_INFINITY
}

function ring(): void {
  stopTimer()
  checkDue()
}
