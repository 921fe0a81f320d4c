// When the first agent called, from a real ledger and a real spool.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readFirstCall } from './first-call.ts'
import { locateLedger } from './ledger-files.ts'
import { openLedger } from './open-ledger.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-first-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let homes = 0
const makeHome = (): string => {
  const home = join(folder, `home-${++homes}`)
  mkdirSync(home)
  return home
}
const draft = (actor: string) => ({ actor, session: null, kind: 'note', policy: null, body: {} })

test('no ledger, no call', async () => {
  expect(await readFirstCall(makeHome(), 0)).toBe(null)
})

test('what people and the daemon do is not a call; of calls the first one since the moment counts', async () => {
  const home = makeHome()
  let now = 1_000_000
  const ledger = await openLedger({ home, clock: { now: () => now, monotonic: () => now } })
  const append = async (actor: string, at: number) => {
    now = at
    await ledger.append(draft(actor))
  }
  for (let at = 1_010_000; at < 1_020_000; at += 1000) await append('human:ada', at)
  expect(await readFirstCall(home, 0)).toBe(null)
  for (let at = 1_020_000; at < 1_060_000; at += 1000) await append(at % 2000 === 0 ? 'agent:codex' : 'system:daemon', at)
  expect(await readFirstCall(home, 0)).toBe(1_020_000)
  expect(await readFirstCall(home, 1_030_500)).toBe(1_032_000)
  expect(await readFirstCall(home, 1_060_000)).toBe(null)
  await ledger.close()
  expect(await readFirstCall(home, 1_030_500)).toBe(1_032_000)
})

test('the clock was set back: what came later seems older, so agents count as having called all along', async () => {
  const home = makeHome()
  const clock = { now: 9_000_000_000, monotonic: 0 }
  const ledger = await openLedger({ home, clock: { now: () => clock.now, monotonic: () => clock.monotonic } })
  await ledger.append(draft('agent:codex'))
  expect(await readFirstCall(home, 500_000, 9_000_001_000)).toBe(9_000_000_000)
  // Nobody has noticed it yet.
  expect(await readFirstCall(home, 500_000, 1_000_000)).toBe(500_000)
  clock.now = 1_000_000
  await ledger.append(draft('human:ada'))
  clock.now = 2_000_000
  clock.monotonic = 1_000_000
  await ledger.append(draft('human:ada'))
  expect(await readFirstCall(home, 500_000, 2_001_000)).toBe(500_000)
  // Before this machine started.
  expect(await readFirstCall(home, 1_500_000, 2_001_000)).toBe(null)
  await ledger.close()
})

test('a call that waits in the spool', async () => {
  const home = makeHome()
  mkdirSync(join(home, 'spool'))
  const before = Date.now() - 5000
  writeFileSync(join(home, 'spool', 'one.json'), '{}')
  expect(await readFirstCall(home, before)).toBeGreaterThanOrEqual(before)
})

test('a ledger that cannot be read: agents may have called all along', async () => {
  const home = makeHome()
  writeFileSync(locateLedger(home).database, 'not a database, not a database, not a database')
  expect(await readFirstCall(home, 7)).toBe(7)
})
