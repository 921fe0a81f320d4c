// Random operations by random actors on a real ledger: whatever happens, the ledger replays to the state that was acted on.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { none } from '@belay/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ledger, openLedger } from '../ledger/open-ledger.ts'
import { loadBoard, readOperations } from './load-board.ts'
import { type Commitments, openCommitments } from './open-commitments.ts'
import { isOperation, OPERATIONS, type OperationName, type OperationRequest, TIERS } from './operation.ts'
import { legalOperations } from './transition.ts'

const seed = Number(process.env.BELAY_SEED ?? 7)
const rounds = Number(process.env.BELAY_ROUNDS ?? 400)
const folder = mkdtempSync(join(tmpdir(), 'belay-replay-'))
let ledger: Ledger
let commitments: Commitments
let made = 0

beforeAll(async () => {
  ledger = await openLedger({ home: folder })
  const verdict = { verdict: none(), rule: null, decidedBy: null, parts: [], parser: null, policyHash: '' }
  commitments = openCommitments({
    store: ledger.store,
    append: ledger.append,
    policyAt: () => ({ policies: [], guard: { judge: () => verdict } }),
    heldBy: async () => null,
    newId: prefix => `${prefix}_${(++made).toString(16).padStart(8, '0')}`,
    now: Date.now,
  })
})
afterAll(async () => {
  await ledger.close()
  rmSync(folder, { recursive: true, force: true })
})

let state = seed
const pick = <T>(items: readonly T[]): T => {
  state = (state + 0x6d2b79f5) | 0
  const mixed = Math.imul(state ^ (state >>> 15), state | 1)
  return items[((mixed ^ (mixed >>> 13)) >>> 0) % items.length] as T
}

const request = (name: OperationName, target: string | null, change: Partial<OperationRequest> = {}): OperationRequest => ({
  name,
  actor: 'agent:a',
  alsoAs: [],
  agentId: null,
  root: '/p',
  target,
  text: 'x',
  tags: [],
  tier: null,
  review: null,
  source: 'https://example.com/1',
  relation: null,
  evidence: { kind: 'custom', status: null, url: null, log: null, summary: 'x' },
  ...change,
})

test(`${rounds} random operations (seed ${seed}): only legal ones are done, no doer reviews, and replay gives the same board`, async () => {
  const ids: string[] = []
  const doers = new Map<string, Set<string>>()
  function noteDoer(name: string, target: string, actor: string): void {
    const known = doers.get(target) ?? new Set()
    if (name === 'claim') doers.set(target, known.add(actor))
    if (name === 'approve' || name === 'reject') expect([...known]).not.toContain(actor)
  }
  /** Whether it was done. */
  async function tryOne(): Promise<boolean> {
    const aim = ids.length === 0 ? null : pick(ids.slice(-4))
    const held = aim === null ? null : await commitments.find(aim)
    // Half of them blindly, half of them what the state allows: so every operation is refused and done.
    const name = held === null ? 'commit' : pick([pick(OPERATIONS), pick(legalOperations(held))])
    const actor = pick(name === 'claim' ? ['agent:a', 'agent:b'] : ['agent:a', 'agent:b', 'human:c'])
    const target = name === 'commit' || name === 'capture' ? null : aim
    const before = target === null ? null : held
    const done = await commitments.perform(
      request(name, target, { actor, tier: pick([null, null, ...TIERS]), review: pick([null, true, false]) }),
    )
    if (!done.ok) return false
    if (name === 'commit' && done.commitment !== null) ids.push(done.commitment.id)
    if (before === null || target === null) return true
    expect(legalOperations(before)).toContain(name)
    noteDoer(name, target, actor)
    return true
  }
  let performed = 0
  for (let n = 0; n < rounds; n++) if (await tryOne()) performed++
  expect(await loadBoard(ledger.store)).toEqual(await commitments.board())
  let recorded = 0
  for await (const entry of readOperations(ledger.store)) if (isOperation(entry.kind)) recorded++
  expect([recorded, performed > rounds / 4]).toEqual([performed, true])
})

test('of fifty who claim at once one gets it', async () => {
  const done = await commitments.perform(request('commit', null))
  const id = done.ok ? (done.commitment?.id ?? '') : ''
  const claims = await Promise.all(Array.from({ length: 50 }, (_, n) => commitments.perform(request('claim', id, { actor: `agent:${n}` }))))
  expect(claims.filter(claim => claim.ok)).toHaveLength(1)
})

test('an agent holds what it claimed last, until that is over', async () => {
  const two = [await commitments.perform(request('commit', null)), await commitments.perform(request('commit', null))]
  const [first = '', second = ''] = two.map(done => (done.ok ? (done.commitment?.id ?? '') : ''))
  const act = (name: OperationName, target: string) => commitments.perform(request(name, target, { agentId: 'pane' }))
  expect(await commitments.commitmentOf('pane', null)).toBeNull()
  await act('claim', first)
  expect(await commitments.commitmentOf('pane', null)).toBe(first)
  await act('claim', second)
  await act('release', first)
  expect(await commitments.commitmentOf('pane', null)).toBe(second)
  await act('close', second)
  expect(await commitments.commitmentOf('pane', null)).toBeNull()
})
