// What a running daemon, being the one writer, does to the ledger for others. Names as in JSON-RPC; the commands use the same table when
// they are the writer themselves.
import type { Ledger } from '../ledger/open-ledger.ts'
import { trimLedger } from '../ledger/trim-ledger.ts'

export type LedgerMethodName = 'ledger.checkpoint' | 'ledger.gc' | 'ledger.rotateKey'
export type LedgerMethod = (params: Readonly<Record<string, unknown>>) => Promise<unknown>

export function createLedgerMethods(ledger: Ledger, person: string): readonly (readonly [LedgerMethodName, LedgerMethod])[] {
  return [
    ['ledger.checkpoint', async () => ({ note: (await ledger.checkpoint())?.note ?? null })],
    [
      'ledger.gc',
      params => {
        const { bodiesDays, eventsDays, entriesDays } = params
        const retention = { bodiesDays: readDays(bodiesDays), eventsDays: readDays(eventsDays), entriesDays: readDays(entriesDays) }
        return trimLedger(ledger, { retention, actor: person, nowMs: Date.now(), dryRun: params.dryRun === true })
      },
    ],
    [
      'ledger.rotateKey',
      async () => {
        const { seq, body } = await ledger.rotateKey(person)
        const { from, to } = JSON.parse(body) as { from: string | null; to: string }
        return { seq, from, to }
      },
    ],
  ]
}

/** Anything else than a number of days keeps everything. */
function readDays(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? value : null
}
