// What a real daemon recorded, as rules; and writing them only after a yes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { runLearn } from './learn.ts'

const POLICY =
  'version: "2.0"\npermissions:\n  default: none\n  actors:\n    "agent:*":\n      deny: ["Bash(git push *)"]\n      allow: ["Bash(ls *)"]\n'

let daemon: TestDaemon

async function learn(options: { readonly write?: boolean; readonly json?: boolean }, answer = '') {
  const { io, written } = createTestIo({
    stdin: [answer],
    env: { ...daemon.env, BELAY_HOME: daemon.home },
    cwd: daemon.project,
    etc: join(daemon.folder, 'etc'),
  })
  const code = await runLearn({ actor: 'agent:*', since: '30d', ...options }, io)
  return { code, ...written }
}

beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
  const call = async (command: string, isRun: boolean) => {
    const payload = { tool_name: 'Bash', tool_input: { command }, tool_use_id: command }
    await daemon.hook('PreToolUse', payload)
    if (isRun) await daemon.hook('PostToolUse', { ...payload, tool_response: {} })
  }
  for (const part of ['a', 'b', 'c']) await call(`npm test -- ${part}`, true)
  await call('git push', false)
  await call('make never-ran', false)
  await call('ls -la', true)
  while ((await daemon.entries('post_tool_use')).length < 4) await sleep(20)
})
afterAll(() => daemon.stop())

test('where nothing is recorded, it says what to learn from instead', async () => {
  const { io, written } = createTestIo({
    env: { BELAY_HOME: join(daemon.folder, 'no-home') },
    cwd: daemon.project,
    etc: join(daemon.folder, 'etc'),
  })
  const code = await runLearn({ actor: 'agent:*', since: '30d' }, io)
  expect([code, written.err]).toEqual([1, expect.stringMatching(/^belay: nothing is recorded here yet\n.*--from-transcripts.*\n$/)])
})

test('what ran becomes a rule; what was refused, never ran or is allowed already does not', async () => {
  const { code, out } = await learn({ json: true })
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    project: daemon.project,
    actor: 'agent:*',
    refused: 1,
    rules: [{ rule: 'Bash(npm test *)', calls: 3, different: 3 }],
    left: [],
  })
})

test('the rule is shown with what it rests on, and nothing is written without a yes', async () => {
  const file = join(daemon.project, '.belay', 'genesis.key')
  const { out } = await learn({})
  expect(out).toContain('+ "Bash(npm test *)"\n    rests on 3 calls, 3 different: Bash npm test -- a')
  expect(out).toContain(
    'On what was recorded, 3 calls that were not allowed by a rule would be:\n  3 by Bash(npm test *) (were none), such as: Bash npm test -- a\n',
  )
  const declined = await learn({ write: true }, 'n\n')
  expect(declined.code).toBe(1)
  expect(declined.err).toContain('-      allow: ["Bash(ls *)"]\n+      allow: ["Bash(ls *)", "Bash(npm test *)"]\n')
  expect(readFileSync(file, 'utf8')).toBe(POLICY)
  expect((await learn({ write: true }, 'y\n')).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(POLICY.replace('["Bash(ls *)"]', '["Bash(ls *)", "Bash(npm test *)"]'))
})
