import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { type CallsOptions, runGuardrailsCalls } from './guardrails-calls.ts'

const POLICY = `version: "2.0"
guardrails:
  tool_ledger:
    rules:
      - { tool: "Bash(make *)", class: external, policy: REPLAY_EXACT }
`

let daemon: TestDaemon

beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterAll(() => daemon.stop())

const call = (command: string, id: string) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: id })
const pre = (command: string, id: string) => daemon.hook('PreToolUse', call(command, id))
const post = (command: string, id: string, told: object = {}) =>
  daemon.hook('PostToolUse', { ...call(command, id), tool_response: 'made', ...told })
const list = async (options: CallsOptions) => {
  const { io, written } = createTestIo({ env: daemon.env, cwd: daemon.project, etc: daemon.folder })
  return { code: await runGuardrailsCalls(options, io), ...written }
}

test('guardrails calls lists what was written down, newest first, by run and status', async () => {
  await pre('make listed', 'listed-1')
  await post('make listed', 'listed-1')
  await pre('make begun', 'begun-1')
  const [begun, listed] = JSON.parse((await list({ json: true, limit: 2 })).out)
  expect(begun).toMatchObject({ tool: 'Bash', status: 'running', receipt: null })
  // Where it stands in the ledger is noted a moment later.
  expect({ ...listed, requestSeq: 1, responseSeq: 2, durationMs: 3 }).toEqual({
    key: expect.stringMatching(/^[0-9a-f]{64}$/),
    run: expect.stringMatching(/^session:/),
    tool: 'Bash',
    class: 'external',
    replay: 'REPLAY_EXACT',
    rule: null,
    status: 'succeeded',
    attempt: 1,
    durationMs: 3,
    requestSeq: 1,
    responseSeq: 2,
    receipt: expect.stringContaining('made'),
    correlationId: null,
    at: expect.any(String),
  })
  expect(JSON.parse((await list({ json: true, status: 'succeeded', run: listed.run })).out)).toContainEqual(
    expect.objectContaining({ key: listed.key }),
  )
  expect(JSON.parse((await list({ json: true, run: 'effort:77' })).out)).toEqual([])
  expect(await list({ run: 'effort:77' })).toMatchObject({ code: 0, out: expect.stringContaining('no calls are written down') })
  expect((await list({ status: 'running' })).out).toMatch(/^TIME +STATUS +TOOK +TOOL.*\n.* running +- +Bash +external +REPLAY_EXACT/)
  expect(await list({ status: 'over' })).toMatchObject({ code: 2, err: expect.stringContaining('there is no status over') })
})

test('how long a call took: as the agent tells it, else from its request to its end', async () => {
  const tookOf = async (command: string) => {
    const rows = JSON.parse((await list({ json: true })).out) as { receipt: string | null; durationMs: number | null }[]
    return rows.find(({ receipt }) => receipt?.includes(command))?.durationMs ?? null
  }
  await pre('make told', 'told-1')
  await post('make told', 'told-1', { tool_response: 'of told', duration_ms: 4321 })
  await expect.poll(() => tookOf('of told')).toBe(4321)
  await pre('make seen', 'seen-1')
  await expect.poll(async () => (await daemon.entries('pre_tool_use')).some(({ read }) => read.toolUseId === 'seen-1')).toBe(true)
  await new Promise(resolve => setTimeout(resolve, 120))
  await post('make seen', 'seen-1', { tool_response: 'of seen' })
  await expect.poll(() => tookOf('of seen')).toBeGreaterThanOrEqual(100)
})
