// page.verify: checks the whole ledger beside the daemon's work, one run at a time; whoever follows the feed sees how far it is.
import { errorText } from '@belay/core/value'
import { verifyLedger } from '../../ledger/verify/verify-ledger.ts'
import { describeFault, type VerifyReport } from '../../ledger/verify/verify-report.ts'
import type { Verification } from '../../page/record.ts'
import type { PageParts } from './page-parts.ts'

export interface Verifier {
  current(): Verification
  /** Begins a run, unless one is under way. */
  start(): Verification
}

const IDLE: Verification = { state: 'idle', startedAt: null, endedAt: null, done: 0, total: 0, why: null, report: null }
/** Progress is told this often at most. */
const TELL_MS = 200

export function createVerifier({ ledger: { files }, feed, now }: Pick<PageParts, 'ledger' | 'feed' | 'now'>): Verifier {
  let current = IDLE
  let toldAt = 0

  function tell(next: Verification): Verification {
    current = next
    toldAt = now()
    feed.publish('verification', next)
    return next
  }

  async function run(): Promise<void> {
    const report = await verifyLedger({
      file: files.database,
      keysDirectory: files.keys,
      checkpointFiles: [files.checkpoint],
      // A thread of its own, so that hashing does not hold up decisions.
      workers: 1,
      onProgress({ done, total }) {
        current = { ...current, done, total }
        if (now() - toldAt >= TELL_MS) tell(current)
      },
    })
    tell({ ...current, state: 'done', endedAt: instant(now()), report: summarize(report) })
  }

  return {
    current: () => current,
    start() {
      if (current.state === 'running') return current
      const begun = tell({ ...IDLE, state: 'running', startedAt: instant(now()) })
      run().catch(error => {
        tell({ ...current, state: 'failed', endedAt: instant(now()), why: errorText(error) })
      })
      return begun
    },
  }
}

function summarize(report: VerifyReport): NonNullable<Verification['report']> {
  const { ok, records, firstBad, faults, checkpoints, sealed, unsealed, gaps, clockSteps, blobs } = report
  return {
    ok,
    records,
    firstBad: firstBad ?? null,
    faults: faults.map(describeFault),
    checkpoints,
    sealed,
    unsealed,
    gaps,
    clockSteps,
    blobsKept: blobs.kept,
    blobsPruned: blobs.pruned,
  }
}

function instant(ms: number): string {
  return new Date(ms).toISOString()
}
