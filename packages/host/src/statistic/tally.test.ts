import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntryDraft } from '@belay/core/ledger'
import { afterEach, describe, expect, test } from 'vitest'
import { type Ledger, openLedger } from '../ledger/open-ledger.ts'
import { addDuration, createHistogram, decodeHistogram, encodeHistogram, percentile } from './histogram.ts'
import { hookKey } from './hook-tally.ts'
import { createMinuteTally } from './minute-tally.ts'
import { DAY_MS } from './rule-tally.ts'
import { openTally, placedRule, type Tally } from './tally.ts'

const NOW = Date.UTC(2026, 5, 10, 12)
const ended: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end()
})

describe('a histogram', () => {
  test('gives percentiles to a tenth', () => {
    const histogram = createHistogram()
    for (let ms = 1; ms <= 1000; ms++) addDuration(histogram, ms)
    for (const [part, exact] of [
      [0.5, 500],
      [0.9, 900],
      [0.99, 990],
    ] as const)
      expect(Math.abs((percentile(histogram, part) ?? 0) - exact) / exact).toBeLessThan(0.1)
  })

  test('of nothing has none, and takes nothing, too little and too much', () => {
    const histogram = createHistogram()
    expect(percentile(histogram, 0.5)).toBe(null)
    for (const ms of [0, -1, 1e12]) addDuration(histogram, ms)
    expect(percentile(histogram, 0.5)).toBe(0.001)
    expect(percentile(histogram, 1)).toBeGreaterThan(100_000)
  })

  test('survives being kept', () => {
    const histogram = createHistogram()
    for (const ms of [0.2, 3, 3, 70]) addDuration(histogram, ms)
    expect(decodeHistogram(encodeHistogram(histogram))).toEqual(histogram)
  })
})

test('minutes come without holes, the last day of them', () => {
  const minutes = createMinuteTally()
  minutes.add(NOW, 'deny', 4)
  minutes.add(NOW + 1000, 'allow', 1)
  minutes.add(NOW - 2 * 60_000, 'none', 2)
  minutes.add(NOW - 25 * 3_600_000, 'ask', 2)
  const listed = minutes.list(NOW, 3)
  expect(listed.map(({ allow, deny, none }) => [allow, deny, none])).toEqual([
    [0, 0, 1],
    [0, 0, 0],
    [1, 1, 0],
  ])
  expect(listed[1]).toEqual({ at: NOW / 1000 - 60, allow: 0, deny: 0, ask: 0, none: 0, p50Ms: null, p90Ms: null, p99Ms: null })
  expect(minutes.list(NOW, 24 * 60).reduce((sum, minute) => sum + minute.ask, 0)).toBe(0)
  expect(minutes.perSecond(NOW + 3000)).toBe(0.2)
  expect(minutes.perSecond(NOW + 60_000)).toBe(0)
})

function decision(rules: readonly string[], more: Readonly<Record<string, unknown>> = {}): EntryDraft {
  const [first] = rules
  const body = {
    event: 'PreToolUse',
    agent: 'codex',
    root: '/repo',
    tool: 'Bash',
    verdict: 'allow',
    tookMs: 2,
    rule: first === undefined ? undefined : { id: first, effect: 'allow', text: 'Bash', place: '/repo/genesis.key:3' },
    parts: rules.map(rule => ({ what: 'unit', rule })),
    ...more,
  }
  return { actor: 'agent:x', session: 's', kind: 'pre_tool_use', policy: null, body: JSON.parse(JSON.stringify(body)) }
}

async function open(home?: string): Promise<{ readonly ledger: Ledger; readonly tally: Tally; readonly home: string }> {
  const folder = home ?? mkdtempSync(join(tmpdir(), 'belay-tally-'))
  if (home === undefined) ended.push(() => rmSync(folder, { recursive: true, force: true }))
  const ledger = await openLedger({ home: folder, clock: { now: () => NOW, monotonic: () => NOW } })
  const tally = await openTally({
    store: ledger.store,
    redact: text => text.replaceAll('hunter2', '[redacted]'),
    now: () => NOW,
    onFailure(error) {
      throw error
    },
  })
  return { ledger, tally, home: folder }
}

test('rules count once a call, over the past in the ledger and what comes', async () => {
  const first = await open()
  for (const rules of [['a', 'b', 'b'], ['b'], []]) await first.ledger.append(decision(rules))
  await first.ledger.append({ actor: 'x', session: null, kind: 'annotate', policy: null, body: { text: 'no decision', root: '/repo' } })
  await first.tally.close()
  await first.ledger.close()
  const { tally, ledger } = await open(first.home)
  ended.push(() => ledger.close())
  tally.add(decision(['b']))
  expect(tally.rules.of('/repo', 'b', NOW).hits).toBe(1)
  expect(await tally.seed()).toBe(7)
  expect(await tally.seed()).toBe(7)
  expect(['a', 'b', 'c'].map(rule => tally.rules.of('/repo', rule, NOW))).toEqual([
    { hits: 1, lastAt: NOW },
    { hits: 3, lastAt: NOW },
    { hits: 0, lastAt: null },
  ])
  expect(tally.rules.of('/repo', placedRule('b', '/repo/genesis.key:3'), NOW).hits).toBe(2)
  expect(tally.rules.of('/other', 'b', NOW).hits).toBe(0)
  expect(tally.rules.of('/repo', 'b', NOW + 8 * DAY_MS)).toEqual({ hits: 0, lastAt: null })
  expect(tally.minutes.list(NOW, 1)).toMatchObject([{ allow: 4 }])
  expect([...tally.projects.keys(), ...tally.agents.keys()]).toEqual(['/repo', 'codex'])
  await tally.close()
})

test('what a person took to answer is not time to decide, in the past as in what comes', async () => {
  const held = decision([], { tookMs: 20_003, timing: { approvalMs: 20_000 } })
  const first = await open()
  await first.ledger.append(held)
  await first.tally.close()
  await first.ledger.close()
  const { tally, ledger } = await open(first.home)
  ended.push(() => ledger.close())
  tally.add(held)
  await tally.seed()
  const [minute] = tally.minutes.list(NOW, 1)
  expect(minute?.allow).toBe(2)
  expect(minute?.p99Ms).toBeLessThan(5)
  await tally.close()
})

test('what hooks cost is kept by day, over a restart, without secrets', async () => {
  const run = { hook: 'curl -H hunter2', scope: 'session', handler: 'command', outcome: 'success', verdict: 'none', ms: 8 }
  const failed = { ...run, outcome: 'non_blocking_error', ms: 80, error: 'hunter2 was refused' }
  const first = await open()
  first.tally.add(decision([], { hooks: [run, failed] }))
  await first.tally.hooks.flush()
  first.tally.add(decision([], { hooks: [run] }))
  await first.tally.close()
  await first.ledger.close()
  const { tally, ledger } = await open(first.home)
  ended.push(() => ledger.close())
  tally.add(decision([], { hooks: [failed] }))
  const key = hookKey('PreToolUse', 'curl -H [redacted]', null, 'session')
  const [cost, ...others] = await tally.hooks.list(7, NOW)
  expect(others).toEqual([])
  expect(cost).toMatchObject({ key, runs: 4, failures: 2, overBudget: 2, error: '[redacted] was refused' })
  expect(percentile(cost?.durations ?? createHistogram(), 0.99)).toBeGreaterThan(70)
  expect(await tally.hooks.list(7, NOW + 30 * DAY_MS)).toEqual([])
  await tally.close()
  const rows = await ledger.store.db.selectFrom('hook_stats').selectAll().execute()
  expect(rows).toMatchObject([{ hook: key, day: '2026-06-10', runs: 4 }])
})
