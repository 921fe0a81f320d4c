// Events that shims spooled go into the ledger: at the start, and now and then, because a shim may also spool in the moment before the
// doors open.
import type { Ledger } from '../ledger/open-ledger.ts'
import { replaySpool } from '../shim/spool.ts'
import type { LogLine } from './log-line.ts'

const REPLAY_MS = 2000

export function replayRegularly(folder: string, ledger: Ledger, log: (line: LogLine) => void): { stop(): Promise<void> } {
  const onBroken = (file: string, why: string) =>
    log({ level: 'error', message: 'a spooled event cannot be read and was set aside', file, why })
  const replay = async (): Promise<void> => {
    try {
      const taken = await replaySpool(folder, ({ eventId, draft }) => ledger.append(draft, { eventId }), onBroken)
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
