// What the genesis.key document says of hooks beside its examples: modify in order, and stop hooks at the end of a turn alone.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../../packages/host/src/daemon/fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - { name: first, matcher: Bash, type: modify, config: { template: { "/command": "nice {{/tool_input/command}}" } } }
    - { name: second, matcher: Bash, type: modify, config: { template: { "/command": "time {{/tool_input/command}}" } } }
  post_tool_use:
    - { name: hide, matcher: Bash, type: modify, config: { target: output, set: { "/stdout": hidden } } }
  stop:
    - { name: gate, type: deny, config: { reason: not finished } }
`

let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterAll(() => daemon.stop())

const CALL = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1' }

test('two hooks modify the input one after the other, and both changes are recorded with their hashes', async () => {
  const { stdout } = await daemon.hook('PreToolUse', CALL)
  expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ updatedInput: { command: 'time nice ls' } })
  const [entry] = await daemon.entries('pre_tool_use')
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
  expect(entry?.read.rewrites).toMatchObject([
    { hook: 'first', beforeHash: hash, afterHash: hash, after: { command: 'nice ls' } },
    { hook: 'second', beforeHash: hash, afterHash: hash, after: { command: 'time nice ls' } },
  ])
})

test('a hook modifies the output', async () => {
  const { stdout } = await daemon.hook('PostToolUse', { ...CALL, tool_response: { stdout: 'secret', code: 0 } })
  expect(JSON.parse(stdout).hookSpecificOutput.updatedToolOutput).toEqual({ stdout: 'hidden', code: 0 })
})

test('stop hooks fire when the agent ends its turn, not when a sub-agent does', async () => {
  expect((await daemon.hook('SubagentStop', { agent_id: 'a1', agent_type: 'x' })).stdout).toBe('')
  expect(await daemon.hook('Stop', { stop_hook_active: false })).toMatchObject({ decision: 'block', reason: 'not finished' })
})
