// input_sanitization with `redact: true`, with the daemon and without it.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runHook } from '../shim/node-shim.ts'
import { runDaemon, type TestDaemon } from './fixtures/run-daemon.ts'

const POLICY = 'version: "2.0"\nhooks:\n  pre_tool_use:\n    - { type: input_sanitization, config: { redact: true } }\n'
const SECRET = `ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2'.slice(0, 36)}`
const CALL = { tool_name: 'Bash', tool_input: { command: `echo ${SECRET}` }, tool_use_id: 't' }

let belay: TestDaemon
beforeAll(async () => {
  belay = await runDaemon({ policy: POLICY })
})
afterAll(() => belay.stop())

async function alone(): Promise<string> {
  const payload = JSON.stringify({ session_id: 's1', cwd: belay.project, hook_event_name: 'PreToolUse', ...CALL })
  const io = { payload, cwd: belay.project, env: belay.env, isTty: false, etc: join(belay.home, 'etc'), startDaemon: () => undefined }
  return (await runHook({ agent: 'claude-code', event: 'PreToolUse', direct: true, deadlineMs: null }, io)).stdout
}

test.each([
  ['with the daemon', async () => (await belay.hook('PreToolUse', CALL)).stdout],
  ['without it', alone],
])('%s the tool gets no secret', async (_title, ask) => {
  const { hookSpecificOutput } = JSON.parse(await ask())
  expect(hookSpecificOutput.updatedInput.command).toMatch(/^echo .*redacted/)
  expect(hookSpecificOutput.updatedInput.command).not.toContain(SECRET)
})
