import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { runHooksList } from './hooks-list.ts'

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - name: slow
      matcher: "Bash"
      type: command
      config: { command: "sleep 0.08" }
  stop:
    - name: never
      type: command
      config: { command: "true" }
`

let daemon: TestDaemon

beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterAll(() => daemon.stop())

async function list() {
  const { io, written } = createTestIo({ env: daemon.env, cwd: daemon.project, etc: daemon.folder })
  await runHooksList({ json: true }, io)
  return JSON.parse(written.out) as readonly Record<string, unknown>[]
}

test('a hook that ran says how long it took, and one over the budget of policies says so in its record', async () => {
  for (let call = 0; call < 3; call++) await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } })
  const [slow, never] = await list()
  expect(slow).toMatchObject({ name: 'slow', runs: 3 })
  expect(Number(slow?.p50Ms)).toBeGreaterThan(50)
  expect(Number(slow?.p99Ms)).toBeGreaterThanOrEqual(Number(slow?.p50Ms))
  expect(never).toMatchObject({ name: 'never', p50Ms: null, p99Ms: null })
  const [entry] = await daemon.entries('pre_tool_use')
  expect(entry?.read.hooks).toContainEqual(expect.objectContaining({ hook: 'slow', overBudget: true }))
})

test('without a daemon the list is there all the same', async () => {
  const { io, written } = createTestIo({
    env: { ...daemon.env, BELAY_HOME: `${daemon.folder}/elsewhere` },
    cwd: daemon.project,
    etc: daemon.folder,
  })
  expect(await runHooksList({}, io)).toBe(0)
  expect(written.out).toMatch(/P50 \/ P99/)
})
