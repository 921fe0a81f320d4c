import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Ledger, openLedger } from '../ledger/open-ledger.ts'
import type { Retention } from '../ledger/trim-ledger.ts'
import { verifyLedger } from '../ledger/verify/verify-ledger.ts'
import type { LogLine } from '../terminal/log-line.ts'
import { createLook } from './trim-regularly.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let folder: string
let ledger: Ledger
let now: number
let jumpedMs: number
let isBusy: boolean
let retention: Partial<Retention> | undefined
let lines: LogLine[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'belay-trim-'))
  ledger = await openLedger({ home: folder })
  await record({ big: 'x'.repeat(5000) })
  now = Date.now() + 10 * DAY_MS
  jumpedMs = 0
  isBusy = false
  retention = { bodiesDays: 5 }
  lines = []
})
afterEach(async () => {
  await ledger.close()
  rmSync(folder, { recursive: true, force: true })
})

const record = (body: Readonly<Record<string, unknown>>) =>
  ledger.append({ actor: 'agent:x', session: null, kind: 'decision', policy: null, body })
/** Of a daemon that is up for a while. */
function newLook(): () => Promise<void> {
  const clock = { now: () => now, monotonic: () => now - jumpedMs }
  const look = createLook({ ledger, retention: () => retention, isBusy: () => isBusy, clock, log: line => void lines.push(line) })
  now += HOUR_MS
  return look
}

/** Who trimmed how many, as the ledger has it. */
async function trims(): Promise<readonly unknown[]> {
  const rows = await ledger.store.db.selectFrom('ledger').select(['actor', 'body']).where('kind', '=', 'ledger_trimmed').execute()
  return rows.map(({ actor, body }) => [actor, JSON.parse(String(body)).blobs])
}

test('what is past its time goes in a quiet moment, is recorded, and the ledger verifies', async () => {
  const look = newLook()
  await look()
  expect(await trims()).toEqual([])
  await look()
  expect(await trims()).toEqual([['system:ledger', 1]])
  expect(lines).toMatchObject([{ level: 'info', blobs: 1 }])
  expect(await verifyLedger({ file: join(folder, 'belay.db') })).toMatchObject({ ok: true, blobs: { kept: 0, pruned: 1 } })
})

test('not while something is recorded or under way, unless that goes on for a day', async () => {
  const look = newLook()
  for (let n = 0; n < 3; n++) {
    await look()
    await record({ n })
  }
  isBusy = true
  await look()
  await look()
  expect(await trims()).toEqual([])
  now += DAY_MS
  await look()
  expect(await trims()).toEqual([['system:ledger', 1]])
})

test('once a day, and with nothing to trim nothing is recorded', async () => {
  const look = newLook()
  await look()
  await look()
  await record({ big: 'y'.repeat(5000) })
  now += 20 * HOUR_MS
  await look()
  await look()
  expect(await trims()).toHaveLength(1)
  now += 9 * DAY_MS
  await look()
  await look()
  expect(await trims()).toHaveLength(2)
  now += 2 * DAY_MS
  await look()
  await look()
  expect(await trims()).toHaveLength(2)
})

test('not when it has just started', async () => {
  const look = newLook()
  now -= HOUR_MS - 1000
  await look()
  await look()
  expect(await trims()).toEqual([])
})

test('a clock that jumped is not believed for an hour', async () => {
  retention = { bodiesDays: 100 }
  const look = newLook()
  await look()
  now += 1000 * DAY_MS
  jumpedMs = 1000 * DAY_MS
  await look()
  await look()
  expect(await trims()).toEqual([])
  // It was wrong, and is put right.
  now -= 1000 * DAY_MS
  jumpedMs = 0
  await look()
  now += 2 * HOUR_MS
  await look()
  await look()
  expect([await trims(), lines]).toMatchObject([[], [{ blobs: 0 }]])
})

test('without a retention everything stays; one that is set later holds from then on', async () => {
  retention = undefined
  const look = newLook()
  await look()
  await look()
  expect([await trims(), lines]).toEqual([[], []])
  retention = { bodiesDays: 5, eventsDays: 5 }
  await look()
  await look()
  expect(await trims()).toHaveLength(1)
})

test('a ledger that cannot be read is said, and tried again an hour later', async () => {
  const look = newLook()
  await ledger.close()
  await look()
  await look()
  expect(lines).toMatchObject([{ level: 'warn' }])
  ledger = await openLedger({ home: folder })
})
