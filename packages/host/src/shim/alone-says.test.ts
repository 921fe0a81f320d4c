// Without the daemon a hook is heard as with it: what it tells the person, the end of the turn, and that it failed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '@belay/core/ledger'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { homePaths } from '../config/home.ts'
import { addTrust } from '../config/trust.ts'
import { runHook } from './node-shim.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-alone-says-'))
const project = join(folder, 'project')
const home = join(folder, 'home')

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - { name: speaks, matcher: Speak, type: command, config: { command: "echo '{\\"systemMessage\\": \\"for the person\\"}'" } }
    - { name: broken, matcher: Broken, type: command, fail: open, config: { command: "exit 127" } }
    - { name: ends, matcher: End, type: command, config: { command: "echo '{\\"continue\\": false, \\"stopReason\\": \\"enough\\"}'" } }
`

beforeAll(() => {
  mkdirSync(join(project, '.belay'), { recursive: true })
  mkdirSync(home)
  const file = join(project, '.belay', 'genesis.key')
  writeFileSync(file, POLICY)
  addTrust(homePaths(home).trust, file, sha256Hex(POLICY))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function answerTo(tool: string): Promise<unknown> {
  const payload = { session_id: 's', cwd: project, tool_name: tool, tool_input: {}, tool_use_id: 't' }
  const env = { BELAY_HOME: home, HOME: folder, PATH: process.env.PATH }
  const io = { payload: JSON.stringify(payload), cwd: project, env, isTty: false, etc: join(folder, 'etc'), startDaemon: () => undefined }
  const { stdout } = await runHook({ agent: 'claude-code', event: 'PreToolUse', direct: false, deadlineMs: null }, io)
  return JSON.parse(stdout)
}

/** The reason, and on a second line who decided, for whom, and by which hook. */
const ENOUGH =
  /^Tool denied: enough\nBelay decided this for agent:claude-code by the hook ends \(.+genesis\.key:6:7\); `.*belay.* why` tells more\.$/

test.each([
  ['Speak', { systemMessage: 'for the person' }],
  ['Broken', { systemMessage: expect.stringMatching(/^hook "broken" exited with code 127.*went on without it$/) }],
  [
    'End',
    {
      continue: false,
      stopReason: 'enough',
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringMatching(ENOUGH),
      },
    },
  ],
])('%s', async (tool, answer) => {
  expect(await answerTo(tool)).toEqual(answer)
})
