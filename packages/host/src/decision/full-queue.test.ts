// A queue without room, on a real ledger: what was not recorded is counted there, and what must be recorded is.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEventFeed } from '../feed/event-feed.ts'
import { GAP } from '../ledger/ledger-kind.ts'
import type { RemoteLedger } from '../ledger/thread/connect-ledger.ts'
import { openLedgerThread } from '../ledger/thread/open-ledger-thread.ts'
import { createMetrics } from '../statistic/metrics.ts'
import type { DecisionDraft } from './decision-record.ts'
import { createGaps } from './gap.ts'
import { recordDecisions } from './record-decisions.ts'
import { createRecordQueue } from './record-queue.ts'

let folder: string
let ledger: RemoteLedger

const fail = (problem: unknown): never => {
  throw new Error(`not expected: ${problem}`)
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'belay-full-'))
  ledger = await openLedgerThread({ home: folder, onWarning: fail, onDeath: fail })
})
afterEach(async () => {
  await ledger.close()
  rmSync(folder, { recursive: true, force: true })
})

function draftOf(n: number): DecisionDraft {
  const answer = { exit: 0, stderr: '', stdout: '' }
  const call = { agent: 'claude-code', agentId: 'a', answer, attended: false, commitment: null, cwd: '/', event: 'PreToolUse', root: '/' }
  const body = { ...call, hooks: [], input: { n }, tookMs: 1, verdict: 'allow' } as unknown as DecisionDraft['body']
  return { actor: 'agent:a', session: 's', kind: 'pre_tool_use', policy: null, body }
}

async function read(kind: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows = await ledger.store.db.selectFrom('ledger').select('body').where('kind', '=', kind).orderBy('seq').execute()
  return rows.map(({ body }) => JSON.parse(String(body)))
}

test('plain allows without room become one gap that says how many; a record that is waited for gets its place', async () => {
  const gaps = createGaps(Date.now)
  gaps.open(draft => ledger.append(draft))
  const port = recordDecisions({
    ledger,
    feed: createEventFeed({ keep: 10 }),
    metrics: createMetrics(),
    tally: { add: () => undefined },
    awaitRecord: () => null,
    gaps,
    log: fail,
  })
  const queue = createRecordQueue<DecisionDraft>(port, { most: 3, mostText: 1_000_000, waitMs: 2 ** 31 - 1 })
  for (let n = 1; n <= 10; n++) queue.add({ make: () => draftOf(n), options: {} })
  expect(await queue.write({ make: () => draftOf(11), options: {} })).toBe(true)
  await queue.settle()
  await gaps.close()
  expect((await read('pre_tool_use')).map(({ input }) => input)).toEqual([1, 2, 3, 11].map(n => ({ n })))
  expect(await read(GAP)).toEqual([expect.objectContaining({ what: 'record', lost: 7, why: 'more calls came than could be recorded' })])
})
