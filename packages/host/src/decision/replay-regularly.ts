// Events that shims spooled are taken over: at the start, and now and then, because a shim may also spool in the moment before the doors open.

import type { LogLine } from '../terminal/log-line.ts'
import { replaySpool, type SpooledEvent } from './spool.ts'

export interface ReplayRegularly {
  readonly folder: string
  take(event: SpooledEvent): Promise<void>
  log(line: LogLine): void
  /** Asked before each look: what lies there may be another daemon's by now. Then nothing is taken any more. */
  isOurs(): boolean
}

const REPLAY_MS = 2000

export function replayRegularly({ folder, take, log, isOurs }: ReplayRegularly): { stop(): Promise<void> } {
  const onBroken = (file: string, why: string) =>
    log({ level: 'error', message: 'a spooled event cannot be read and was set aside', file, why })
  const replay = async (): Promise<void> => {
    try {
      if (!isOurs()) return
      const taken = await replaySpool(folder, take, onBroken)
      if (taken > 0) log({ level: 'info', message: 'spooled events recorded', taken })
    } catch (error) {
      log({ level: 'error', message: 'spooled events could not be recorded and stay', error: String(error) })
    }
  }
  let running = replay()
  const timer = setInterval(() => {
    running = running.then(replay)
  }, REPLAY_MS).unref()
  return {
    stop() {
      clearInterval(timer)
      return running
    },
  }
}
