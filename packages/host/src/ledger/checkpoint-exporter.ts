// Sends checkpoints to their second places in the background, one after another; a newer one replaces one that still waits.
import type { CheckpointRow } from '../store/table/checkpoint.ts'
import { type CheckpointTarget, exportCheckpoint } from './export-checkpoint.ts'

export interface CheckpointExporter {
  add(checkpoint: CheckpointRow): void
  /** Sends what waits at once, and resolves when nothing waits any more. */
  settle(): Promise<void>
}

/** Between two of them: each takes the disk from those who wait for their entry, and under load one is due every few milliseconds. */
const PAUSE_MS = 250

export function createCheckpointExporter(targets: readonly CheckpointTarget[], onWarning: (message: string) => void): CheckpointExporter {
  let running: Promise<void> = Promise.resolve()
  let next: CheckpointRow | undefined
  let lastMs = Number.NEGATIVE_INFINITY
  /** How many wait until everything is out. */
  let settling = 0
  let endPause = (): void => undefined

  const pause = (): Promise<void> =>
    new Promise(resolve => {
      const timer = setTimeout(resolve, lastMs + PAUSE_MS - performance.now())
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const exportNext = async (): Promise<void> => {
    if (settling === 0 && performance.now() < lastMs + PAUSE_MS) await pause()
    const checkpoint = next
    next = undefined
    if (!checkpoint) return
    for (const target of targets) {
      const failure = await exportCheckpoint(target, checkpoint.note)
      if (failure !== undefined) onWarning(failure)
    }
    lastMs = performance.now()
  }
  return {
    add: checkpoint => {
      const isQueued = next !== undefined
      next = checkpoint
      if (!isQueued) running = running.then(exportNext)
    },
    settle: async () => {
      settling++
      endPause()
      await running
      settling--
    },
  }
}
