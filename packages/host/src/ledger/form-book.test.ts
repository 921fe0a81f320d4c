// What entries have in common is kept once, and every entry reads, proves and is found as if it were whole.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonicalJson, type EntryDraft } from '@belay/core/ledger'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadDriver } from '../store/driver/load-driver.ts'
import { FORMS_KNOWN } from './form-book.ts'
import { type Ledger, openLedger } from './open-ledger.ts'
import { type EntryFilter, findEntry, queryEntries } from './read-entry.ts'
import { trimLedger } from './trim-ledger.ts'
import { verifyLedger } from './verify/verify-ledger.ts'

const START = Date.parse('2026-01-01')
const DAY_MS = 86_400_000
let home: string
let ledger: Ledger
let now: number
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'belay-form-'))
  now = START
  await open()
})
afterEach(async () => {
  await ledger.close()
  rmSync(home, { recursive: true })
})

async function open(): Promise<void> {
  ledger = await openLedger({ home, clock: { now: () => now, monotonic: () => now } })
}

function call(n: number, rule = 'ls', more: Readonly<Record<string, unknown>> = {}): EntryDraft {
  const shared = {
    agent: 'claude-code',
    agentId: 'claude-code:s1',
    cwd: '/home/dev/project',
    reason: `allowed by the rule ${rule}`,
    root: '/home/dev/project',
  }
  const own = { commitment: null, hooks: [], input: { command: `ls ${n}` }, tool: 'Bash', toolUseId: `call-${n}`, verdict: 'allow' }
  return { actor: 'agent:x', session: 's1', kind: 'pre_tool_use', policy: 'f'.repeat(64), body: { ...shared, ...own, ...more } }
}

async function forms(): Promise<number> {
  return (await ledger.store.db.selectFrom('forms').select('id').execute()).length
}

async function find(filter: EntryFilter): Promise<readonly number[]> {
  return (await queryEntries(ledger.store, { kind: 'pre_tool_use', ...filter }, { limit: 99, newestFirst: false })).map(({ seq }) => seq)
}

function verify() {
  return verifyLedger({ file: join(home, 'belay.db'), keysDirectory: join(home, 'keys') })
}

test('entries of one form keep it once, before and after a restart, and come back as they were given', async () => {
  const drafts = [
    call(1),
    call(2),
    call(3, 'git'),
    { ...call(4), policy: null },
    call(5, 'ls', { commitment: 'c-1', hooks: [{ hook: 'h' }] }),
  ]
  const given = []
  for (const draft of drafts) given.push(await ledger.append(draft))
  expect(await forms()).toBe(4)
  await ledger.close()
  await open()
  drafts.push(call(6), call(7, 'git'))
  given.push(...(await Promise.all(drafts.slice(5).map(draft => ledger.append(draft)))))
  expect(await forms()).toBe(4)
  const listed = await queryEntries(ledger.store, { kind: 'pre_tool_use' }, { limit: 99, newestFirst: false })
  expect(listed).toEqual(given)
  expect(listed.map(({ body, policy }) => ({ body, policy }))).toEqual(
    drafts.map(({ body, policy }) => ({ body: canonicalJson(body), policy })),
  )
  for (const entry of given) expect(await findEntry(ledger.store, String(entry.seq))).toEqual({ kind: 'found', entry })
  expect(await verify()).toMatchObject({ ok: true, faults: [] })
})

test('entries are found by what stands in their form', async () => {
  const [a, b, c] = [
    await ledger.append(call(1)),
    await ledger.append(call(2, 'git')),
    await ledger.append(call(3, 'ls', { agentId: 'other:9', root: '/elsewhere/than/home' })),
  ].map(({ seq }) => seq)
  expect(await find({ project: '/home/dev/project' })).toEqual([a, b])
  expect(await find({ project: '/else*' })).toEqual([c])
  expect(await find({ agentId: 'claude-code:*' })).toEqual([a, b])
  expect(await find({ agent: 'claude-code', tool: 'Bash', toolUseId: 'call-2' })).toEqual([b])
  expect(await find({ text: 'the rule GIT' })).toEqual([b])
  expect(await find({ text: 'ls 3' })).toEqual([c])
  expect(await find({ text: 'nowhere' })).toEqual([])
})

test('an event that comes again beside a form that is new leaves no entry without its form', async () => {
  await ledger.append(call(1), { eventId: 'first' })
  const [again, fresh, same] = await Promise.all([
    ledger.append(call(1, 'again'), { eventId: 'first' }),
    ledger.append(call(2, 'fresh')),
    ledger.append(call(3, 'fresh')),
  ])
  expect(again.seq).toBeLessThan(fresh.seq)
  expect(await find({ text: 'rule fresh' })).toEqual([fresh.seq, same.seq])
  expect(await verify()).toMatchObject({ ok: true })
})

test('forms of dropped entries go, but not those that the writer may still give', async () => {
  await Promise.all(Array.from({ length: FORMS_KNOWN + 88 }, (_, n) => ledger.append(call(n, `r${n}`))))
  await ledger.append({ ...call(0), kind: 'policy_change' })
  now += 40 * DAY_MS
  await ledger.append(call(1, 'new'))
  await ledger.checkpoint()
  await trimLedger(ledger, {
    retention: { bodiesDays: null, eventsDays: null, entriesDays: 30 },
    actor: 'human:ana',
    nowMs: now,
    dryRun: false,
  })
  expect(await find({})).toHaveLength(1)
  expect(await forms()).toBe(FORMS_KNOWN)
  const last = await ledger.append(call(9, `r${FORMS_KNOWN + 80}`))
  expect(await forms()).toBe(FORMS_KNOWN)
  expect(await findEntry(ledger.store, String(last.seq))).toEqual({ kind: 'found', entry: last })
  const old = await ledger.append(call(9, 'r1'))
  expect(await forms()).toBe(FORMS_KNOWN + 1)
  expect(await findEntry(ledger.store, String(old.seq))).toEqual({ kind: 'found', entry: old })
  expect(await verify()).toMatchObject({ ok: true, faults: [] })
})

test('the database refuses an entry without its form, and to lose or change a form that entries have', async () => {
  const { seq } = await ledger.append(call(1))
  await ledger.close()
  const connection = (await loadDriver())(join(home, 'belay.db'), { readOnly: false })
  const insert = `INSERT INTO ledger (seq, id, time, actor, kind, body, body_hash, prev, hash, form) VALUES (${seq + 1}, 'x', '', '', '', '{}', '', '', '', 99)`
  expect(() => connection.prepare(insert).run([])).toThrow('an entry needs its form')
  expect(() => connection.prepare('DELETE FROM forms').run([])).toThrow('entries need this form')
  expect(() => connection.prepare("UPDATE forms SET text = '{}'").run([])).toThrow('forms do not change')
  connection.close()
  await open()
})
