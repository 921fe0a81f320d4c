// Tells the hub what this machine has to say beside its ledger: which policy holds, and how a roll-out goes. Said again until the hub has it.
import { setTimeout as sleep } from 'node:timers/promises'
import { errorText } from '@belay/core/value'
import type { Ask } from './hub-session.ts'
import type { ComparedCount } from './team-message.ts'

export interface Reporter {
  count(count: ComparedCount): void
  run(signal: AbortSignal): Promise<void>
}

export interface ReporterOptions {
  readonly ask: Ask
  /** How the policy of the team stands here. */
  policy(): Readonly<Record<string, unknown>>
  readonly lookMs?: number
}

const LOOK_MS = 500
const FAILED_MS = 5000
/** Said at least so often: the hub knows by it which machines are on which bundle. */
const AGAIN_MS = 60_000

export function createReporter({ ask, policy, lookMs = LOOK_MS }: ReporterOptions): Reporter {
  const counts = new Map<number, { calls: number; newDenies: number }>()
  let said = ''
  let saidAt = Number.NEGATIVE_INFINITY

  const add = ({ version, calls, newDenies }: ComparedCount): void => {
    const sum = counts.get(version) ?? { calls: 0, newDenies: 0 }
    counts.set(version, { calls: sum.calls + calls, newDenies: sum.newDenies + newDenies })
  }
  /** False: it was not heard. */
  const report = async (): Promise<boolean> => {
    const state = policy()
    const text = JSON.stringify(state)
    if (counts.size === 0 && text === said && performance.now() - saidAt < AGAIN_MS) return true
    const sent = [...counts].map(([version, sum]) => ({ version, ...sum }))
    counts.clear()
    const answer = await ask('POST /v1/report', { policy: state, counts: sent }).catch(error => errorText(error))
    const isHeard = typeof answer !== 'string' && answer.status === 200
    if (isHeard) {
      said = text
      saidAt = performance.now()
    } else for (const count of sent) add(count)
    return isHeard
  }
  return {
    count: add,
    run: async signal => {
      while (!signal.aborted) {
        const isHeard = await report()
        await sleep(isHeard ? lookMs : FAILED_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined)
      }
    },
  }
}
