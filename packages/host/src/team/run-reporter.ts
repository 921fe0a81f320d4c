// Tells the hub what this machine has to say beside its ledger: which policy holds, how a roll-out goes, what waits for a person. Said again
// until the hub has it; what waits is said at once.
import { errorText } from '@belay/core/value'
import type { ApprovalRelay } from './approval-relay.ts'
import type { Ask } from './hub-session.ts'
import type { SharedWork } from './read-work.ts'
import type { ComparedCount } from './team-message.ts'

export interface Reporter {
  count(count: ComparedCount): void
  /** There is something that should not wait. */
  wake(): void
  run(signal: AbortSignal): Promise<void>
}

export interface ReporterOptions {
  readonly ask: Ask
  readonly approvals: Pick<ApprovalRelay, 'send' | 'hasUnsent'>
  /** How the policy of the team stands here. */
  policy(): Readonly<Record<string, unknown>>
  /** Agents and efforts; null: they are not shared. */
  work(): Promise<SharedWork | null>
}

const LOOK_MS = 500
/** Between two looks at agents and efforts. */
const WORK_MS = 2000
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 10_000
/** Said at least so often: the hub knows by it which machines are on which bundle. */
const AGAIN_MS = 60_000

export function createReporter({ ask, approvals, policy, work }: ReporterOptions): Reporter {
  const counts = new Map<number, { calls: number; newDenies: number }>()
  let said = ''
  let saidAt = Number.NEGATIVE_INFINITY
  let lookedAt = Number.NEGATIVE_INFINITY
  let shared: SharedWork | null = null
  let wake: () => void = () => undefined

  const add = ({ version, calls, newDenies }: ComparedCount): void => {
    const sum = counts.get(version) ?? { calls: 0, newDenies: 0 }
    counts.set(version, { calls: sum.calls + calls, newDenies: sum.newDenies + newDenies })
  }
  /** False: it was not heard. */
  const report = async (): Promise<boolean> => {
    const state = policy()
    if (performance.now() - lookedAt > WORK_MS) {
      lookedAt = performance.now()
      shared = await work()
    }
    const text = JSON.stringify([state, shared])
    if (counts.size === 0 && text === said && performance.now() - saidAt < AGAIN_MS) return true
    const sent = [...counts].map(([version, sum]) => ({ version, ...sum }))
    counts.clear()
    const answer = await ask('POST /v1/report', { policy: state, counts: sent, ...(shared && { work: shared }) }).catch(error =>
      errorText(error),
    )
    const isHeard = typeof answer !== 'string' && answer.status === 200
    if (isHeard) {
      said = text
      saidAt = performance.now()
    } else for (const count of sent) add(count)
    return isHeard
  }
  const rest = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise(resolve => {
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        wake = () => undefined
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal.addEventListener('abort', end)
      wake = end
    })
  return {
    count: add,
    wake: () => wake(),
    run: async signal => {
      let waitMs = FIRST_WAIT_MS
      while (!signal.aborted) {
        // What waits for a person comes first, and is no reason to say nothing else.
        const isTaken = await approvals.send()
        const isHeard = (await report()) && isTaken
        waitMs = isHeard ? FIRST_WAIT_MS : Math.min(waitMs * 2, LONGEST_WAIT_MS)
        if (!(isHeard && approvals.hasUnsent()) && !signal.aborted) await rest(isHeard ? LOOK_MS : waitMs * (0.5 + Math.random()), signal)
      }
    },
  }
}
