// Hooks that fail where nothing is held up: the record says how they ended, and the person, the log and the ledger are told.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - { name: crashes, type: command, async: true, config: { command: "echo broken >&2; exit 1" } }
    - { name: hangs, type: command, async: true, timeout: 50ms, config: { command: "sleep 5" } }
    - { name: works, type: command, async: true, config: { command: "exit 0" } }
    - { name: skipped, type: command, fail: open, config: { command: "exit 127" } }
    - { name: finds, type: command, config: { command: "test -d \\"$CLAUDE_PROJECT_DIR\\"/.belay || exit 2" } }
`

let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterAll(() => daemon.stop())

const CALL = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1' }

/** What the person at the agent was told so far. */
const told: string[] = []

async function call(): Promise<void> {
  const { stdout } = await daemon.hook('PreToolUse', CALL)
  if (stdout !== '') told.push(...JSON.parse(stdout).systemMessage.split('\n'))
}

test('async hooks have started in the record of their event, and end in one of their own', async () => {
  await call()
  expect(told[0]).toMatch(/^hook "skipped" exited with code 127.*went on without it$/)
  await expect.poll(async () => (await daemon.entries('hook_run')).length).toBe(3)
  const ends = (await daemon.entries('hook_run')).flatMap(({ read }) => read.hooks as { hook: string }[])
  expect(ends.sort((one, other) => (one.hook < other.hook ? -1 : 1))).toMatchObject([
    { hook: 'crashes', outcome: 'non_blocking_error', error: expect.stringContaining('broken'), ms: expect.any(Number) },
    { hook: 'hangs', outcome: 'cancelled', error: 'timeout' },
    { hook: 'works', outcome: 'success' },
  ])
  await expect.poll(async () => (await daemon.entries('pre_tool_use')).length).toBe(1)
  const [record] = await daemon.entries('pre_tool_use')
  expect(record?.read.hooks).toMatchObject([
    { hook: 'crashes', outcome: 'started' },
    { hook: 'hangs', outcome: 'started' },
    { hook: 'works', outcome: 'started' },
    { hook: 'skipped', outcome: 'non_blocking_error' },
    { hook: 'finds', outcome: 'success' },
  ])
})

test('those that failed are told with the next event, and logged', async () => {
  await call()
  await call()
  expect(told.map(text => /"(\w+)"/.exec(text)?.[1]).sort()).toEqual(['crashes', 'hangs', 'skipped'])
  const log = readFileSync(join(daemon.home, 'log', 'daemon.log'), 'utf8')
  for (const name of ['skipped', 'crashes', 'hangs']) expect(log).toContain(name)
})

test.each(['claude-code', 'codex', 'gemini', 'opencode'])('%s: a hook finds the project, whatever the agent calls it', async agent => {
  const native = agent === 'gemini' ? 'BeforeTool' : 'PreToolUse'
  await daemon.hook(native, CALL, { agent })
  const found = { hook: 'finds', outcome: 'success' }
  const recorded = async () => (await daemon.entries('pre_tool_use')).filter(({ read }) => read.agent === agent).at(-1)?.read
  await expect.poll(recorded).toMatchObject({ hooks: expect.arrayContaining([expect.objectContaining(found)]) })
})
