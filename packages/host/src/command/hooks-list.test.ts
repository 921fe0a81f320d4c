import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { runHooksList } from './hooks-list.ts'
import { runWhy } from './why.ts'

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - name: slow
      matcher: "Bash"
      type: command
      config: { command: "sleep 0.08" }
    - name: rare
      matcher: "Read"
      type: command
      condition: "event.tool == 'Read'"
      once: true
      config: { command: "true" }
  post_tool_use:
    - name: later
      type: command
      async: true
      config: { command: "true" }
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
  // A daemon that is busy is not waited for, and what a call took is counted after its answer.
  await expect.poll(async () => (await list())[0]?.runs).toBe(3)
  const [slow, rare, later, never] = await list()
  expect(slow).toMatchObject({ name: 'slow', runs: 3, overBudget: true, source: 'genesis', once: false, async: false, condition: null })
  expect(rare).toMatchObject({ name: 'rare', once: true, condition: "event.tool == 'Read'", overBudget: null })
  expect(later).toMatchObject({ name: 'later', async: true, once: false })
  expect(Number(slow?.p50Ms)).toBeGreaterThan(50)
  expect(Number(slow?.p99Ms)).toBeGreaterThanOrEqual(Number(slow?.p50Ms))
  expect(never).toMatchObject({ name: 'never', p50Ms: null, p99Ms: null })
  const [entry] = await daemon.entries('pre_tool_use')
  expect(entry?.read.hooks).toContainEqual(expect.objectContaining({ hook: 'slow', overBudget: true }))
})

test('the list for people has a column for each of it, and why says the same of the hooks that ran', async () => {
  const { io, written } = createTestIo({ env: daemon.env, cwd: daemon.project, etc: daemon.folder })
  await daemon.hook('PreToolUse', { tool_name: 'Read', tool_input: { file_path: 'x' }, tool_use_id: 'read-1' })
  await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'bash-1' })
  await daemon.hook('PostToolUse', { tool_name: 'Look', tool_input: {}, tool_response: 'x', tool_use_id: 'post-1' })
  await expect.poll(async () => (await list())[0]?.runs).toBe(4)
  expect(await runHooksList({}, io)).toBe(0)
  const [head = '', ...rows] = written.out.split('\n')
  expect(head.split(/ {2,}/)).toEqual(['EVENT', 'NAME', 'TYPE', 'MATCHER', 'CONDITION', 'RUNS', 'SOURCE', 'P50 / P99', 'WHERE'])
  const rowOf = (name: string) => rows.find(row => row.split(/ {2,}/)[1] === name)?.split(/ {2,}/)
  expect(rowOf('slow')?.slice(2, 7)).toEqual(['command', 'Bash', '-', '-', 'genesis'])
  expect(rowOf('slow')?.[7]).toMatch(/ ms \/ \d+ ms over 50 ms$/)
  expect(rowOf('rare')?.slice(2, 7)).toEqual(['command', 'Read', "event.tool == 'Read'", 'once', 'genesis'])
  expect(rowOf('later')?.slice(2, 7)).toEqual(['command', '*', '-', 'async', 'genesis'])
  const say = async (id: string) => {
    // A plain allow is answered before its record is on disk.
    await expect.poll(() => runWhy({ id }, createTestIo({ env: daemon.env, cwd: daemon.project, etc: daemon.folder }).io)).toBe(0)
    const out = createTestIo({ env: daemon.env, cwd: daemon.project, etc: daemon.folder })
    expect(await runWhy({ id }, out.io)).toBe(0)
    return out.written.out
  }
  expect(await say('read-1')).toMatch(/rare \(genesis\): success, [\d.]+ ms.*, once, if event\.tool == 'Read' {2}.*genesis\.key:\d+/)
  expect(await say('post-1')).toMatch(/later \(genesis\): started, async {2}.*genesis\.key:\d+/)
  expect(await say('bash-1')).toMatch(/slow \(genesis\): success, [\d.]+ ms \(over 50 ms\) {2}.*genesis\.key:\d+/)
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
