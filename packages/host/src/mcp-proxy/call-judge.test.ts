// A call that a person is asked about, and calls while there is no daemon.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runDaemon } from '../daemon/fixtures/run-daemon.ts'
import { type CallJudge, createCallJudge, type McpCall } from './call-judge.ts'
import { POLICY } from './fixtures/gate.ts'

function judgeIn(home: string, project: string, onStart: () => void = () => undefined): CallJudge {
  const env = { BELAY_HOME: home, HOME: project, PATH: process.env.PATH }
  return createCallJudge({ server: 'demo', holdMs: 60_000, io: { cwd: project, env, etc: join(home, 'etc'), startDaemon: onStart } })
}

const call = (tool: string, input: McpCall['input'] = {}): McpCall => ({
  session: 'mcp-1',
  tool,
  input,
  useId: `u-${tool}`,
  definitionChange: null,
})

test('somebody watches: the call is held, and released by the decision', async () => {
  const daemon = await runDaemon({ policy: POLICY })
  const waiting = async () => {
    const reply = await daemon.rpc('approvals.list')
    return 'result' in reply ? (reply.result.requests as { id: string }[]).map(({ id }) => id) : []
  }
  await daemon.watched(async () => {
    const held = judgeIn(daemon.home, daemon.project).before(call('pay', { amount: 5 }))
    await expect.poll(waiting).toHaveLength(1)
    const ids = await waiting()
    await daemon.rpc('approvals.allow', { ids, typed: ids[0]?.slice(-4) })
    expect(await held).toEqual({ kind: 'run', input: null, context: null })
  })
  await daemon.stop()
})

test('no daemon: the static policy decides, the event waits in the spool, the daemon is started', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'belay-proxy-alone-'))
  const home = join(folder, 'home')
  mkdirSync(join(folder, '.belay'))
  writeFileSync(join(folder, '.belay', 'genesis.key'), POLICY)
  let started = 0
  const judge = judgeIn(home, folder, () => {
    started++
  })
  expect(await judge.before(call('erase'))).toEqual({
    kind: 'deny',
    reason: expect.stringMatching(/^Tool denied: NEVER-ERASE \(rule mcp__demo__erase, /),
  })
  expect(await judge.before(call('pay'))).toMatchObject({ kind: 'deny' })
  expect(await judge.before(call('echo'))).toEqual({ kind: 'run', input: null, context: null })
  expect(await judge.after(call('echo'), { outcome: { kind: 'result', result: { content: [] } }, durationMs: 1 })).toEqual({
    output: null,
    notes: [],
    isDenied: false,
  })
  expect([started, readdirSync(join(home, 'spool')).length]).toEqual([4, 4])
  rmSync(folder, { recursive: true })
})

test('a policy that is broken and never was good denies with the place', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'belay-proxy-broken-'))
  mkdirSync(join(folder, '.belay'))
  writeFileSync(join(folder, '.belay', 'genesis.key'), 'version: "2.0"\npermissions: [')
  expect(await judgeIn(join(folder, 'home'), folder).before(call('echo'))).toMatchObject({
    kind: 'deny',
    reason: expect.stringContaining('genesis.key:2'),
  })
  rmSync(folder, { recursive: true })
})
