import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { bindRole } from './agent.ts'
import { advancePhase, artifactPath, finishEffort, type StartEffort, startEffort } from './effort.ts'
import { type NewSession, startSession } from './session.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-state-'))
const now = '2026-01-01T00:00:00.000Z'
let store: Store

beforeAll(async () => {
  store = await openSqliteStore({ file: join(folder, 'belay.db') })
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const work = (id: string) => store.transact(tx => bindRole(tx, id, { role: 'executor', label: null }, now))
const effort = (agentId: string, taskDir: string): StartEffort => ({
  agentId,
  projectRoot: '/repo',
  taskDir,
  description: null,
  keywords: [],
  workspace: null,
  title: 'a task',
  skill: 'implement',
  mode: null,
  firstPhase: 'plan',
  metadata: {},
  now,
})
const session = (agentId: string, hostSession: string, effortId: number | null = null): NewSession => ({
  agentId,
  agentKind: 'claude-code',
  hostSession,
  subagent: null,
  projectRoot: '/repo',
  effortId,
  transcriptPath: null,
  heartbeatInterval: null,
  contextWindow: null,
  now,
})

test('an agent has one active effort; ordinals count per task', async () => {
  await work('a1')
  const first = await store.transact(tx => startEffort(tx, effort('a1', 'tasks/one')))
  expect(first).toMatchObject({ ok: true, value: { taskDir: '/repo/tasks/one', ordinal: 1, phase: 'plan', lifecycle: 'active' } })
  expect(await store.transact(tx => startEffort(tx, effort('a1', 'tasks/two')))).toEqual({
    ok: false,
    problem: expect.stringContaining('a1 is already running implement in /repo/tasks/one'),
  })
  if (!first.ok) throw new Error(first.problem)
  await store.transact(tx => finishEffort(tx, first.value.id, now))
  expect(await store.transact(tx => startEffort(tx, effort('a1', 'tasks/one')))).toMatchObject({ ok: true, value: { ordinal: 2 } })
})

test('phases go in order; a skip is refused, and recorded when forced', async () => {
  await work('a2')
  const started = await store.transact(tx => startEffort(tx, effort('a2', 'tasks/phases')))
  if (!started.ok) throw new Error(started.problem)
  const { id } = started.value
  const step = (phase: string, force = false) =>
    store.transact(tx =>
      advancePhase(tx, { effortId: id, phase, proof: { tests: 3 }, phases: ['plan', 'build', 'verify', 'ship'], force, now }),
    )
  expect(await step('verify')).toEqual({ ok: false, problem: expect.stringContaining('verify skips build') })
  expect(await step('nonsense')).toEqual({
    ok: false,
    problem: expect.stringContaining('has no phase nonsense; its phases are plan, build, verify, ship'),
  })
  expect(await step('build')).toMatchObject({ ok: true, value: { phase: 'build' } })
  expect(await step('ship', true)).toMatchObject({ ok: true, value: { phase: 'ship' } })
  expect(await step('plan')).toEqual({ ok: false, problem: expect.stringContaining('past or at plan') })
  const history = await store.db
    .selectFrom('phase_history')
    .select(['phase_label', 'proof'])
    .where('effort_id', '=', id)
    .orderBy('id')
    .execute()
  expect(history).toEqual([
    { phase_label: 'plan', proof: null },
    { phase_label: 'build', proof: '{"tests":3}' },
    { phase_label: 'ship', proof: '{"forced":true,"proof":{"tests":3}}' },
  ])
})

test('every start is a new session, linked to the one before it', async () => {
  await work('a3')
  const started = await store.transact(tx => startEffort(tx, effort('a3', 'tasks/sessions')))
  if (!started.ok) throw new Error(started.problem)
  const first = await store.transact(tx => startSession(tx, session('a3', 'host-1', started.value.id)))
  const second = await store.transact(tx => startSession(tx, session('a3', 'host-2', started.value.id)))
  const rows = await store.db
    .selectFrom('sessions')
    .select(['id', 'prev_session_id', 'ended_at'])
    .where('agent_id', '=', 'a3')
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { id: first, prev_session_id: null, ended_at: now },
    { id: second, prev_session_id: first, ended_at: null },
  ])
})

test('the fleet view shows agent, effort, phase and window together', async () => {
  const row = await store.db.selectFrom('fleet_status').selectAll().where('agent', '=', 'a3').executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    agent: 'a3',
    role: 'executor',
    status: 'done',
    task: '/repo/tasks/sessions',
    skill: 'implement',
    phase: 'plan',
    heartbeat: 0,
  })
})

test('artifacts carry the ordinal and the skill', () => {
  expect(artifactPath({ taskDir: '/repo/t', ordinal: 2, skill: 'fix-bug' }, 'log')).toBe('/repo/t/2_FIX_BUG_LOG.md')
})
