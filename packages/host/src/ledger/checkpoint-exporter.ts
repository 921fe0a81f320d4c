// Sends checkpoints to their second places in the background, one after another; a newer one replaces one that still waits.
import type { CheckpointRow } from '../store/table/checkpoint.ts'
import { type CheckpointTarget, exportCheckpoint } from './export-checkpoint.ts'

export interface CheckpointExporter {
  add(checkpoint: CheckpointRow): void
  /** Resolves when nothing waits any more. */
  settle(): Promise<void>
}

export function createCheckpointExporter(targets: readonly CheckpointTarget[], onWarning: (message: string) => void): CheckpointExporter {
  let running: Promise<void> = Promise.resolve()
  let next: CheckpointRow | undefined
  const exportNext = async (): Promise<void> => {
    const checkpoint = next
    next = undefined
    if (!checkpoint) return
    for (const target of targets) {
      const failure = await exportCheckpoint(target, checkpoint.note)
      if (failure !== undefined) onWarning(failure)
    }
  }
  return {
    add: checkpoint => {
      const isQueued = next !== undefined
      next = checkpoint
      if (!isQueued) running = running.then(exportNext)
    },
    settle: () => running,
  }
}
