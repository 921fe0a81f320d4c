// Wall time is for people; order is by seq. What the wall clock does of its own accord is noticed and recorded.

export interface Clock {
  /** Milliseconds since 1970; may jump. */
  now(): number
  /** Milliseconds from anywhere; never jumps. */
  monotonic(): number
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }

/** Smaller differences are drift and scheduling. */
export const CLOCK_STEP_MS = 2000

export interface ClockReading {
  readonly nowMs: number
  /** How far the wall clock jumped since the last reading, when it did. Sleep of the machine looks the same. */
  readonly stepMs?: number
}

export function watchClock(clock: Clock): () => ClockReading {
  let wall = clock.now()
  let steady = clock.monotonic()
  return () => {
    const nowMs = clock.now()
    const nowSteady = clock.monotonic()
    const stepMs = Math.round(nowMs - wall - (nowSteady - steady))
    wall = nowMs
    steady = nowSteady
    return Math.abs(stepMs) < CLOCK_STEP_MS ? { nowMs } : { nowMs, stepMs }
  }
}
