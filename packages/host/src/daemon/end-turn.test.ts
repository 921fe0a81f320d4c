// A hook that ends the turn before a tool: what agents are told, what RPC answers and what the ledger keeps say the same.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from './fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - name: gate
      type: command
      config: { command: "echo '{\\"continue\\": false, \\"stopReason\\": \\"enough\\"}'" }
`

let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterAll(() => daemon.stop())

const CALL = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1' }

test.each([
  ['claude-code', 'PreToolUse', CALL],
  ['codex', 'PreToolUse', CALL],
  ['gemini', 'BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'ls' } }],
  ['opencode', 'PreToolUse', CALL],
  ['kiro', 'preToolUse', { ...CALL, tool_name: 'execute_bash' }],
])('%s is denied, and the record says who and why', async (agent, event, payload) => {
  const reply = await daemon.hook(event, payload, { agent })
  expect(`${reply.stdout}${reply.stderr}`).toMatch(/Tool denied: enough(\n|\\n)Belay decided this for agent:\S+ by the hook gate \(/)
  const read = (await daemon.entries('pre_tool_use')).at(-1)?.read
  expect(read).toMatchObject({
    verdict: 'deny',
    reason: 'enough',
    stop: { hook: 'gate', reason: 'enough' },
    hooks: [{ hook: 'gate', outcome: 'blocking', verdict: 'deny', reason: 'enough' }],
  })
})

test('so it is over RPC', async () => {
  expect(await daemon.rpc('hooks.preToolUse', { session_id: 's1', cwd: daemon.project, ...CALL })).toMatchObject({
    result: { allow: false, decision: 'deny', reason: 'enough', stopReason: 'enough' },
  })
})
