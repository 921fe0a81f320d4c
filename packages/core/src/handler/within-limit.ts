// Work that only a signal can end, held to a limit: when the time is up or the caller gives up, the run is cancelled at once,
// whether or not the work listens.
import type { HandlerRun } from '../hook/hook-result.ts'
import { type Ends, startDeadline } from './deadline.ts'

export async function withinLimit(ends: Ends, work: (signal: AbortSignal) => Promise<HandlerRun>): Promise<HandlerRun> {
  const controller = new AbortController()
  const deadline = startDeadline(ends)
  try {
    const first = await Promise.race([work(controller.signal), deadline.over])
    if (typeof first !== 'string') return first
    controller.abort()
    return { kind: 'cancelled', why: first }
  } finally {
    deadline.clear()
  }
}
