// Decisions are what the ledger says: rows changed with SQLite behind the daemon's back, rows brought back, other places, and moved clocks.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { openLedger } from '../ledger/open-ledger.ts'
import { openApprovals } from './open-approvals.ts'

const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      ask: ["Bash(git push *)"]
hooks:
  stop:
    - type: approval_gate
      config: { condition: "commitment.requires_review == true", approvers: ["human:*"] }
`

let belay: TestDaemon
beforeEach(async () => {
  belay = await runDaemon({ policy: POLICY, config: 'person = "ada"\n' })
})
afterEach(() => belay.stop())

const push = (more: Readonly<Record<string, unknown>> = {}, frame = {}) =>
  belay.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'git push origin main' }, tool_use_id: 't', ...more }, frame)
const idIn = (text: string | undefined) => /apr_[0-9a-f]{8}/.exec(text ?? '')?.[0] ?? ''
const allow = (id: string) => belay.rpc('approvals.allow', { ids: [id], typed: id.slice(-4) })

function edit(sql: string, ...values: readonly (string | null)[]): void {
  const database = new Database(join(belay.home, 'belay.db'))
  try {
    expect(database.prepare(sql).run(...values).changes).toBe(1)
  } finally {
    database.close()
  }
}

describe('a row of the database that another hand', () => {
  test.each([
    ['allowed', "UPDATE approvals SET state = 'allowed', decided_by = 'human:ada', decided_at = created_at WHERE id = ?"],
    ['gave more time and allowed', "UPDATE approvals SET state = 'allowed', expires_at = '2999-01-01T00:00:00.000Z' WHERE id = ?"],
    ['allowed and made unreadable', "UPDATE approvals SET state = 'allowed', input = 'no JSON' WHERE id = ?"],
    ['moved to another session', "UPDATE approvals SET state = 'allowed', session = NULL WHERE id = ?"],
  ])('%s is not believed', async (_what, sql) => {
    const id = idIn((await push()).reason)
    edit(sql, id)
    expect(await push()).toMatchObject({ decision: 'deny' })
    await belay.restart()
    const again = await push()
    expect([again.decision, idIn(again.reason) === id]).toEqual(['deny', false])
    expect((await belay.entries('approval_unsealed')).map(({ read }) => [read.approval, read.believed])).toEqual([[id, false]])
  })

  test('made up is not believed', async () => {
    const id = idIn((await push()).reason)
    edit(
      `INSERT INTO approvals SELECT 'apr_00000000', 'allowed', kind, root, agent, actor, agent_id, session, commitment, tool, input, input_hash, reason,
       rule, origin, approvers, created_at, expires_at, created_at, 'human:ada', note, used_at FROM approvals WHERE id = ?`,
      id,
    )
    await belay.restart()
    expect(await push()).toMatchObject({ decision: 'deny' })
  })

  test('brought back after it was used is not used again', async () => {
    const id = idIn((await push()).reason)
    await allow(id)
    expect(await push()).toMatchObject({ decision: 'allow' })
    edit('UPDATE approvals SET used_at = NULL WHERE id = ?', id)
    await belay.restart()
    expect(await push()).toMatchObject({ decision: 'deny' })
  })

  test('left alone is believed', async () => {
    const id = idIn((await push()).reason)
    await allow(id)
    await belay.restart()
    expect(await push()).toMatchObject({ decision: 'allow', reason: expect.stringContaining('human:ada') })
    expect(await belay.entries('approval_unsealed')).toEqual([])
  })
})

test.each([
  ['allowed', "UPDATE approvals SET state = 'allowed', decided_by = 'human:ada' WHERE id = ?"],
  ['taken away', 'DELETE FROM approvals WHERE id = ?'],
  ['ended', 'UPDATE approvals SET used_at = created_at WHERE id = ?'],
  ['turned into a call', "UPDATE approvals SET kind = 'call' WHERE id = ?"],
])('a gate that was %s in the database goes on holding its commitment', async (_what, sql) => {
  const secrets: Readonly<Record<string, string>> = {
    'agent:architect': await belay.bind('pane-0', 'architect'),
    'agent:executor': await belay.bind('pane-1', 'executor'),
    'agent:auditor': await belay.bind('pane-2', 'auditor'),
  }
  const act = async (operation: string, actor: string, params = {}) => {
    const reply = await belay.rpc(`commitments.${operation}`, { secret: secrets[actor], cwd: belay.project, ...params })
    return 'result' in reply ? reply.result : { error: reply.error.message }
  }
  const made = (await act('commit', 'agent:architect', { text: 'with a gate', review: true })) as { commitment: { id: string } }
  const target = made.commitment.id
  await act('claim', 'agent:executor', { target })
  const id = idIn((await belay.hook('Stop', { stop_hook_active: false }, { secret: secrets['agent:executor'] })).reason)
  await act('submit', 'agent:executor', { target })
  edit(sql, id)
  await belay.restart()
  const refused = (await act('approve', 'agent:auditor', { target })) as { error: string }
  expect(refused.error).toContain('waits for human:*')
  await allow(idIn(refused.error))
  expect(await act('approve', 'agent:auditor', { target })).toMatchObject({ commitment: { state: 'closed' } })
})

test.each<[string, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
  ['another directory', { cwd: '/' }, {}],
  ['another session', { session_id: 's2' }, {}],
  ['another agent', {}, { 'agent-id': 'other' }],
  ['another program', {}, { agent: 'codex' }],
  ['another input', { tool_input: { command: 'git push origin main', timeout: 5 } }, {}],
])('a decision is not good for %s', async (_what, payload, frame) => {
  await allow(idIn((await push()).reason))
  const elsewhere = await push(payload, frame)
  expect(elsewhere.stdout).not.toContain('allowed once')
  expect(await push()).toMatchObject({ decision: 'allow' })
})

describe('clocks', () => {
  const MINUTE = 60_000
  const START = Date.parse('2030-01-01T00:00:00.000Z')

  async function world() {
    const home = mkdtempSync(join(tmpdir(), 'belay-clock-'))
    const time = { wall: START, steady: 0 }
    const clock = { now: () => time.wall, monotonic: () => time.steady }
    const open = async () => {
      const ledger = await openLedger({ home, clock })
      const approvals = await openApprovals({
        store: ledger.store,
        append: draft => ledger.append(draft),
        redact: body => body,
        key: Buffer.alloc(32, 7),
        onChange: () => undefined,
        clock,
      })
      return { ledger, approvals }
    }
    const decided = async () => {
      const opened = await open()
      const facts = {
        kind: 'call',
        root: '/r',
        agent: 'a',
        actor: 'agent:a',
        agentId: 'a',
        session: 's',
        commitment: null,
        tool: 'Bash',
      } as const
      const asked = { ...facts, input: {}, inputHash: 'h', reason: '', rule: null, origin: 'rule', approvers: [] }
      const request = await opened.approvals.open({ ...asked, expiryMs: 15 * MINUTE, policyHash: null })
      const by = { by: 'human:ada', via: 'terminal', note: null, always: null } as const
      await opened.approvals.decide(request, { state: 'allowed', ...by })
      return opened
    }
    return { home, time, open, decided }
  }

  test('in time it is good, also after a restart', async () => {
    const { home, time, open, decided } = await world()
    await (await decided()).ledger.close()
    Object.assign(time, { wall: START + 10 * MINUTE, steady: 5 })
    const { ledger, approvals } = await open()
    expect(await approvals.take('h')).toMatchObject({ state: 'allowed' })
    await ledger.close()
    rmSync(home, { recursive: true })
  })

  test.each([
    ['the wall clock', { wall: START + 16 * MINUTE, steady: 1 }],
    ['the clock that nobody sets, the wall set back', { wall: START - 60 * MINUTE, steady: 16 * MINUTE }],
  ])('past its time by %s', async (_what, moved) => {
    const { home, time, decided } = await world()
    const { ledger, approvals } = await decided()
    Object.assign(time, moved)
    expect(approvals.pending()).toEqual([])
    expect(await approvals.take('h')).toBeNull()
    await ledger.close()
    rmSync(home, { recursive: true })
  })

  test('a wall clock that is set back before a restart does not bring it back', async () => {
    const { home, time, open, decided } = await world()
    const first = await decided()
    time.wall = START + 20 * MINUTE
    await first.ledger.append({ actor: 'agent:a', session: 's', kind: 'note', policy: null, body: {} })
    await first.ledger.close()
    Object.assign(time, { wall: START + MINUTE, steady: 3 })
    const { ledger, approvals } = await open()
    expect(await approvals.take('h')).toBeNull()
    await ledger.close()
    rmSync(home, { recursive: true })
  })
})
