// How long ago, kept true by one clock for the whole page: the daemon's, which over a forwarded port may be another one than ours.
import { useSyncExternalStore } from 'react'
import { dayAndClock, span } from './time.ts'

/** Closer than this two clocks are one: an answer takes its time too. */
const SAME_MS = 2000

let aheadMs = 0
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function watchClock(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

/** What the daemon's clock said when ours said `ownMs`. */
export function setDaemonClock(daemonMs: number, ownMs: number): void {
  aheadMs = Math.abs(daemonMs - ownMs) < SAME_MS ? 0 : daemonMs - ownMs
}

/** The daemon's time; changes once a second. */
export function useNow(): number {
  return useSyncExternalStore(watchClock, () => now + aheadMs)
}

/** By our own clock. */
export function useOwnNow(): number {
  return useSyncExternalStore(watchClock, () => now)
}

export function Age({ time }: { readonly time: string }) {
  const at = useNow()
  return (
    <time dateTime={time} title={dayAndClock(time)} className="whitespace-nowrap">
      {span(at - Date.parse(time))}
    </time>
  )
}

/** What is left until then; `ended` when nothing is. */
export function TimeLeft({ until }: { readonly until: string }) {
  const left = Date.parse(until) - useNow()
  return (
    <time dateTime={until} title={dayAndClock(until)} className="whitespace-nowrap">
      {left <= 0 ? 'expired' : span(left)}
    </time>
  )
}
