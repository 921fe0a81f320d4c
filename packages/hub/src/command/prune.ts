// `belay-hub prune`: drops entries of days that are past the retention. Hashes, checkpoints and the hub's own acts stay, so proofs hold.
import { recordAct } from '../act/record-act.ts'
import { HubProblem } from '../database/hub-problem.ts'
import { dayOf, dropDay, listDays } from '../database/partition.ts'
import { type HubIo, withHub } from './open-hub.ts'

const DAY_MS = 86_400_000

export interface PruneOptions {
  readonly config?: string
  readonly json?: boolean
  readonly days?: number
  readonly dryRun?: boolean
}

export async function runPrune(options: PruneOptions, io: HubIo): Promise<number> {
  return withHub(options.config, io, async ({ db, signer, actor, config }) => {
    const days = options.days ?? config.retentionDays
    if (days === null) throw new HubProblem('nothing says how long entries are kept: set retention_days, or give --days')
    const oldest = dayOf(Date.now() - days * DAY_MS)
    const due = (await listDays(db)).filter(day => day < oldest)
    for (const day of options.dryRun ? [] : due) {
      await db.transaction().execute(async tx => {
        const entries = await dropDay(tx, day)
        await recordAct(tx, signer, { actor, kind: 'day_pruned', body: { day, days, entries } })
      })
    }
    const text = due.length === 0 ? `no day is older than ${days} days` : `${options.dryRun ? 'would drop' : 'dropped'} ${due.join(', ')}`
    io.out(options.json ? `${JSON.stringify({ days: due, dryRun: options.dryRun === true })}\n` : `${text}\n`)
    return 0
  })
}
