// An agent that judges in its own process: what happened waits in the spool, and each of it is in the ledger once, whenever the daemon comes.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createHooks, createSpoolRecorder, createToolPipeline } from '@belay/core'
import { combinedHash, parseGenesis } from '@belay/core/policy'
import { expect, test } from 'vitest'
import { runDaemon } from './fixtures/run-daemon.ts'

const POLICY = 'version: "2.0"\npermissions:\n  default: none\n  actors:\n    "agent:*": { deny: ["Bash(rm *)"] }\n'
const SECRET = `ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2'.slice(0, 36)}`

test('recorded once each, redacted, in order, by a daemon that is up and restarted', async () => {
  const daemon = await runDaemon({ policy: POLICY })
  const parsed = parseGenesis(POLICY, 'genesis.key')
  const policies = parsed.ok ? [parsed.policy] : []
  const record = createSpoolRecorder({ home: daemon.home, policyHash: combinedHash(policies) })
  const { runTool } = createToolPipeline({
    policies,
    record,
    tools: [{ name: 'Bash', execute: () => 'done' }],
    cwd: daemon.project,
    actor: 'agent:own',
    sessionId: 'in-process',
  })
  const ours = async () => (await daemon.entries()).filter(({ session }) => session === 'in-process')

  expect((await runTool('Bash', { command: `deploy --token ${SECRET}` })).status).toBe('succeeded')
  expect((await runTool('Bash', { command: 'rm x' })).status).toBe('denied')
  await expect.poll(ours).toHaveLength(4)
  await daemon.restart()
  const entries = await ours()
  expect(entries.map(({ kind, actor, policy, read }) => [kind, actor, policy, read.verdict, read.judged])).toEqual([
    ['pre_tool_use', 'agent:own', combinedHash(policies), 'none', 'in process'],
    ['post_tool_use', 'agent:own', combinedHash(policies), 'none', 'in process'],
    ['pre_tool_use', 'agent:own', combinedHash(policies), 'deny', 'in process'],
    ['permission_denied', 'agent:own', combinedHash(policies), 'none', 'in process'],
  ])
  expect(entries[0]?.body).toMatch(/redacted:/)
  expect(entries[0]?.body).not.toContain(SECRET)
  expect(readdirSync(join(daemon.home, 'spool'))).toEqual([])
  await daemon.stop()
})

test('evidence of hooks, and how async ones ended, are entries of their own', async () => {
  const daemon = await runDaemon({ policy: POLICY })
  const hooks = createHooks()
  hooks.on('PreToolUse', () => ({ evidence: { kind: 'lint', data: { warnings: 3 } } }), { name: 'linter' })
  const crash = () => {
    throw new Error('boom')
  }
  hooks.on('PreToolUse', crash, { name: 'crashes', async: true })
  hooks.on('PostToolUse', () => ({ evidence: { kind: 'late', data: { n: 1 } } }), { name: 'later', async: true })
  const tools = [{ name: 'Bash', execute: () => 'done' }]
  const { runTool } = createToolPipeline({ hooks, record: createSpoolRecorder({ home: daemon.home }), tools, cwd: daemon.project })
  await runTool('Bash', { command: 'ls' })
  await expect
    .poll(async () => (await daemon.entries('lint')).map(({ read }) => [read.capturedBy, read.data]))
    .toEqual([[{ hook: 'linter', scope: 'session' }, { warnings: 3 }]])
  await expect
    .poll(async () => (await daemon.entries('hook_run')).map(({ read }) => read.hooks))
    .toMatchObject([[{ hook: 'crashes', outcome: 'non_blocking_error' }], [{ hook: 'later', outcome: 'success' }]])
  await expect
    .poll(async () => (await daemon.entries('late')).map(({ read }) => read.capturedBy))
    .toEqual([{ hook: 'later', scope: 'session' }])
  await expect
    .poll(async () => (await daemon.entries('pre_tool_use')).map(({ read }) => read.hooks))
    .toMatchObject([
      [
        { hook: 'linter', outcome: 'success' },
        { hook: 'crashes', outcome: 'started' },
      ],
    ])
  await daemon.stop()
})

test('evidence_capture of a policy that holds in process is an entry under its kind', async () => {
  const daemon = await runDaemon({ policy: POLICY })
  const hooks = 'hooks:\n  post_tool_use:\n    - { name: keeps, type: evidence_capture, config: { ledger: true, kind: run } }\n'
  const parsed = parseGenesis(`version: "2.0"\n${hooks}`, 'genesis.key')
  const record = createSpoolRecorder({ home: daemon.home })
  const tools = [{ name: 'Bash', execute: () => 'done' }]
  const { runTool } = createToolPipeline({ policies: parsed.ok ? [parsed.policy] : [], record, tools, cwd: daemon.project })
  await runTool('Bash', { command: 'ls' })
  await expect
    .poll(async () => (await daemon.entries('run')).map(({ read }) => [read.capturedBy, read.tool, read.output]))
    .toEqual([[{ hook: 'keeps', scope: 'policy', place: 'genesis.key:4' }, 'Bash', 'done']])
  await daemon.stop()
})

test.each([
  ['/dev/null/nowhere', /could not be recorded: ENOTDIR/],
  ['/proc/nowhere/deep', /could not be recorded: \/proc\/nowhere cannot be made/],
])('what cannot be recorded in %s does not run', async (home, why) => {
  const ran: unknown[] = []
  const record = createSpoolRecorder({ home })
  const { runTool } = createToolPipeline({ record, tools: [{ name: 'Bash', execute: () => ran.push(1) }] })
  const { status, reason } = await runTool('Bash', {})
  expect([status, reason, ran]).toEqual(['denied', expect.stringMatching(why), []])
})
