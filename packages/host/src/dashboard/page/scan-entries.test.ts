import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ledger, openLedger } from '../../ledger/open-ledger.ts'
import type { EntryFilter } from '../../ledger/read-entry.ts'
import { countFacets, listRecords } from './list-records.ts'
import { scanBack, scanForward } from './scan-entries.ts'

const COUNT = 730
const folder = mkdtempSync(join(tmpdir(), 'belay-scan-'))
let nowMs = Date.UTC(2026, 0, 1)
let ledger: Ledger

/** Every seventh is denied, every fifth is codex, entry 500 holds a word of its own. One entry a minute. */
function bodyOf(seq: number) {
  return {
    event: 'PreToolUse',
    tool: seq % 3 === 0 ? 'Read' : 'Bash',
    agent: seq % 5 === 0 ? 'codex' : 'claude-code',
    agentId: `a${seq % 2}`,
    root: seq <= 365 ? '/old' : '/new',
    verdict: seq % 7 === 0 ? 'deny' : 'allow',
    tookMs: 1,
    input: { command: seq === 500 ? 'echo Xyzzy' : `echo ${seq}` },
    ...(seq % 100 === 0 ? { commitment: 'cmt_1' } : {}),
  }
}

const numbers = (isWanted: (seq: number) => boolean) => Array.from({ length: COUNT }, (_, index) => index + 1).filter(isWanted)
const timeOf = (seq: number) => new Date(Date.UTC(2026, 0, 1) + seq * 60_000).toISOString()

beforeAll(async () => {
  ledger = await openLedger({ home: folder, clock: { now: () => nowMs, monotonic: () => nowMs } })
  const written = []
  for (let seq = 1; seq <= COUNT; seq++) {
    nowMs = Date.parse(timeOf(seq))
    written.push(ledger.append({ actor: 'agent:x', session: `s${seq % 4}`, kind: 'pre_tool_use', policy: null, body: bodyOf(seq) }))
  }
  await Promise.all(written)
})
afterAll(async () => {
  await ledger.close()
  rmSync(folder, { recursive: true, force: true })
})

async function listAll(filter: EntryFilter, limit = 37): Promise<readonly number[]> {
  const found: number[] = []
  for (let before: number | null = null; ; ) {
    const { rows, next } = await listRecords(ledger.store, { filter, before, limit })
    found.push(...rows.map(row => row.seq))
    if (next === null) return found
    before = next
  }
}

describe('every filter finds what matches, newest first, each entry once, over pages', () => {
  test.each<[string, EntryFilter, (seq: number) => boolean]>([
    ['nothing', {}, () => true],
    ['verdict deny, by its index', { verdict: 'deny' }, seq => seq % 7 === 0],
    ['verdict allow', { verdict: 'allow' }, seq => seq % 7 !== 0],
    ['session, by its index', { session: 's2' }, seq => seq % 4 === 2],
    ['session with a star', { session: 's*' }, () => true],
    ['commitment, by its index', { commitment: 'cmt_1' }, seq => seq % 100 === 0],
    ['tool', { tool: 'Read' }, seq => seq % 3 === 0],
    ['agent', { agent: 'codex' }, seq => seq % 5 === 0],
    ['agent with a star', { agent: 'claude*' }, seq => seq % 5 !== 0],
    ['agent id', { agentId: 'a1' }, seq => seq % 2 === 1],
    ['project', { project: '/old' }, seq => seq <= 365],
    ['text, whatever its case', { text: 'xyzzy' }, seq => seq === 500],
    ['text with a sign of LIKE, which stands for itself', { text: 'xy_zy' }, () => false],
    ['two indexed at once', { verdict: 'deny', session: 's3' }, seq => seq % 7 === 0 && seq % 4 === 3],
    ['since', { since: timeOf(700) }, seq => seq >= 700],
    ['until', { until: timeOf(100) }, seq => seq <= 100],
    ['a span of time', { since: timeOf(250), until: timeOf(420), verdict: 'deny' }, seq => seq >= 250 && seq <= 420 && seq % 7 === 0],
    ['a time before everything', { until: '2025-01-01T00:00:00.000Z' }, () => false],
    ['nothing matches', { tool: 'Nothing' }, () => false],
  ])('%s', async (_title, filter, isWanted) => {
    const wanted = numbers(isWanted)
    expect(await listAll(filter)).toEqual(wanted.toReversed())
    const forward: number[] = []
    for await (const entries of scanForward(ledger.store, filter)) forward.push(...entries.map(entry => entry.seq))
    expect(forward).toEqual(wanted)
  })
})

test('large values are searched a few at a time, each once', async () => {
  const large = await openLedger({ home: join(folder, 'large') })
  try {
    const sizes = [3_000_000, 10, ...Array<number>(12).fill(500_000), 3_000_000]
    for (const [index, size] of sizes.entries()) {
      const body = { input: { content: `${'x'.repeat(size)} ${index % 2 === 0 ? 'even' : 'odd'}` } }
      await large.append({ actor: 'agent:x', session: null, kind: 'pre_tool_use', policy: null, body })
    }
    const steps: number[][] = []
    for await (const { entries } of scanBack(large.store, { text: ' EVEN' }, sizes.length + 1)) steps.push(entries.map(({ seq }) => seq))
    expect(steps.flat()).toEqual([15, 13, 11, 9, 7, 5, 3, 1])
    expect(Math.max(...steps.map(step => step.length))).toBeLessThanOrEqual(3)
    const forward: number[][] = []
    for await (const entries of scanForward(large.store, { text: ' odd' })) forward.push(entries.map(({ seq }) => seq))
    expect(forward.flat()).toEqual([2, 4, 6, 8, 10, 12, 14])
    expect(Math.max(...forward.map(step => step.length))).toBeLessThanOrEqual(3)
  } finally {
    await large.close()
  }
})

test('facets count what matches', async () => {
  const facets = await countFacets(ledger.store, { project: '/new' })
  expect(facets).toMatchObject({
    counted: 365,
    isPartial: false,
    project: [{ value: '/new', count: 365 }],
    kind: [{ value: 'pre_tool_use', count: 365 }],
    verdict: [
      { value: 'allow', count: numbers(seq => seq > 365 && seq % 7 !== 0).length },
      { value: 'deny', count: numbers(seq => seq > 365 && seq % 7 === 0).length },
    ],
  })
})

test.each(['refusal', 'session', 'commitment'])('an index serves %s', async column => {
  const { store } = ledger
  const query = sql`EXPLAIN QUERY PLAN SELECT seq FROM ledger WHERE ${sql.ref(column)} = ${''} AND seq >= ${0} AND seq < ${0} ORDER BY seq DESC`
  const plan = await store.prepareRead({ compile: () => query.compile(store.db) })(['deny', 1, 1_000_000])
  expect(String(plan[0]?.at(-1))).toContain(`ledger_${column}`)
})
