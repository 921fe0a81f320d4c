// How long ago, kept true by one clock for the whole page.
import { useSyncExternalStore } from 'react'
import { dayAndClock, span } from './time.ts'

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

/** Changes once a second. */
export function useNow(): number {
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
