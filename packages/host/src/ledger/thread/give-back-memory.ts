// Gives memory back after a flood. V8 keeps what a burst made it take until it needs a collection for itself, which a daemon at rest never
// does. Each thread has a heap of its own and looks after it: in a quiet moment, and only where the heap has grown.
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface GiveBackOptions {
  /** The part of the time since the last look in which this thread was busy. */
  load(): number
  /** Bytes that it holds. */
  held(): number
  collect(): void
}

const LOOK_MS = 5000
const QUIET = 0.05
/** Less than this part more, or fewer bytes more, is not worth the pause of a collection. */
const GROWTH = 1.1
const MIN_BYTES = 8 * 1024 * 1024

export function giveBackMemory(): { stop(): void } {
  const look = createLook({ load: createLoad(), held: heldBytes, collect: collectAll })
  const timer = setInterval(look, LOOK_MS).unref()
  return { stop: () => clearInterval(timer) }
}

export function createLook({ load, held, collect }: GiveBackOptions): () => void {
  /** What was held after the last collection. */
  let rest = 0
  return () => {
    if (load() > QUIET || held() < Math.max(rest * GROWTH, rest + MIN_BYTES)) return
    collect()
    rest = held()
  }
}

function createLoad(): () => number {
  let before = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return utilization
  }
}

function heldBytes(): number {
  const { heapTotal, external } = process.memoryUsage()
  return heapTotal + external
}

let gc: (() => void) | undefined

function collectAll(): void {
  if (gc === undefined) {
    setFlagsFromString('--expose-gc')
    const made: unknown = runInNewContext('gc')
    if (typeof made !== 'function') return
    gc = () => void made()
  }
  // What the first one finds dead may have held memory outside the heap, which the second one lets go of.
  gc()
  gc()
}
