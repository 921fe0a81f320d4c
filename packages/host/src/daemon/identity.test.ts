// Who a call is made by, asked of a real daemon and of the client that judges alone.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runHook } from '../shim/node-shim.ts'
import { runDaemon, type TestDaemon } from './fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:architect":
      deny: ["Write(*)"]
    "agent:reviewer":
      deny: ["Bash(make *)"]
`

let daemon: TestDaemon

beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY, config: '[agents.claude-code]\nactor = "architect"\n' })
})
afterAll(() => daemon.stop())

const write = { tool_name: 'Write', tool_input: { file_path: 'x', content: '' }, tool_use_id: 't' }
const make = { tool_name: 'Bash', tool_input: { command: 'make x' }, tool_use_id: 't' }

test.each([
  ['config.toml says who', {}, write, 'deny'],
  ['not what another role may not', {}, make, undefined],
  ['BELAY_ACTOR says more than config.toml', { actor: 'agent:reviewer' }, write, undefined],
  ['and holds', { actor: 'agent:reviewer' }, make, 'deny'],
])('%s', async (_name, frame, call, decision) => {
  expect((await daemon.hook('PreToolUse', call, frame)).decision).toBe(decision)
})

test('a role bound to the agent id says more than config.toml', async () => {
  await daemon.rpc('agent.bind', { id: 'bound', role: 'reviewer' })
  const env = { AGENT_ID: 'bound' }
  expect((await daemon.hook('PreToolUse', write, { env })).decision).toBeUndefined()
  expect((await daemon.hook('PreToolUse', make, { env })).decision).toBe('deny')
})

test('the client that judges alone reads config.toml too', async () => {
  const { stdout } = await runHook(
    { agent: 'claude-code', event: 'PreToolUse', direct: true, deadlineMs: null },
    {
      payload: JSON.stringify({ session_id: 's', cwd: daemon.project, hook_event_name: 'PreToolUse', ...write }),
      cwd: daemon.project,
      env: daemon.env,
      isTty: false,
      etc: join(daemon.home, 'etc'),
      startDaemon: () => undefined,
    },
  )
  expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny')
})
