// Keeps the retention of config.toml without being asked: once a day, in a quiet moment, and recorded as `ledger gc` is. Without a retention
// nothing is ever trimmed.
import { type Clock, watchClock } from '../ledger/clock.ts'
import { LEDGER_ACTOR } from '../ledger/ledger-kind.ts'
import type { Ledger } from '../ledger/open-ledger.ts'
import { type Retention, trimLedger } from '../ledger/trim-ledger.ts'
import type { LogLine } from '../terminal/log-line.ts'

export interface TrimRegularly {
  readonly ledger: Ledger
  /** As config.toml says now. */
  retention(): Partial<Retention> | undefined
  /** A call is under way. */
  isBusy(): boolean
  log(line: LogLine): void
  readonly clock: Clock
}

const LOOK_MS = 60_000
/** A clock that is wrong when the machine starts is put right by then. */
const FIRST_MS = 600_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export function trimRegularly(options: TrimRegularly): { stop(): Promise<void> } {
  const look = createLook(options)
  let running: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(look)
  }, LOOK_MS).unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

/**
 * Trims where that is due and nothing was recorded since the last look. Where it never is quiet for a day, it is done all the same.
 * A clock that jumped is not believed for an hour: what goes does not come back.
 */
export function createLook({ ledger, retention, isBusy, log, clock }: TrimRegularly): () => Promise<void> {
  const readClock = watchClock(clock)
  let dueAt = clock.monotonic() + FIRST_MS
  let seen = -1
  return async () => {
    const { nowMs, stepMs } = readClock()
    const steady = clock.monotonic()
    if (stepMs !== undefined) dueAt = Math.max(dueAt, steady + HOUR_MS)
    const { bodiesDays = null, eventsDays = null, entriesDays = null } = retention() ?? {}
    if ((bodiesDays === null && eventsDays === null && entriesDays === null) || steady < dueAt) return
    try {
      const last = await readLastSeq(ledger)
      const isQuiet = last === seen && !isBusy()
      seen = last
      if (!isQuiet && steady < dueAt + DAY_MS) return
      const trimmed = await trimLedger(ledger, {
        retention: { bodiesDays, eventsDays, entriesDays },
        actor: LEDGER_ACTOR,
        nowMs,
        dryRun: false,
      })
      dueAt = steady + DAY_MS
      log({ level: 'info', message: 'trimmed by the retention of config.toml', ...trimmed })
    } catch (error) {
      dueAt = steady + HOUR_MS
      log({ level: 'warn', message: 'what is past its retention could not be trimmed and stays for now', error: String(error) })
    }
  }
}

async function readLastSeq({ store }: Ledger): Promise<number> {
  const row = await store.db.selectFrom('ledger').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return row?.seq ?? 0
}
