// An agent with our hooks whose MCP server stands behind our proxy: each call is judged, counted and recorded once.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - matcher: "mcp__demo__rename"
      type: modify
      config: { set: { "/name": "changed" } }
  post_tool_use:
    - matcher: "mcp__demo__send"
      type: evidence_capture
      config: { ledger: true, kind: message }
permissions:
  default: none
  actors:
    "agent:*": { ask: ["mcp__demo__ask"], deny: ["mcp__demo__send(to:evil)"] }
`
let daemon: TestDaemon
let calls = 0
let known = 0

beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
beforeEach(async () => {
  known = (await daemon.entries()).length
})
afterAll(() => daemon.stop())

const ACTOR = 'agent:claude-code'
type Input = Readonly<Record<string, unknown>>

const byAgent = (tool: string, input: Input, frame: Input = {}) =>
  daemon.hook('PreToolUse', { tool_name: `mcp__demo__${tool}`, tool_input: input, tool_use_id: `a${++calls}` }, frame)
const byProxy = (
  tool: string,
  input: Input,
  { actor = ACTOR, event = 'tools/call', id = `p${++calls}`, ...more }: Record<string, string> = {},
) =>
  daemon.hook(
    event,
    {
      session_id: 'mcp-1',
      tool_name: `mcp__demo__${tool}`,
      tool_input: input,
      tool_use_id: id,
      ...(event === 'tools/call' ? {} : { tool_response: {} }),
      ...more,
    },
    { agent: 'mcp', actor },
  )
/** Kinds of what was recorded in this test: a denial is on disk before its answer, and everything before it too. */
const recorded = async () => {
  await byAgent('send', { to: 'evil' })
  return (await daemon.entries()).slice(known, -1).map(({ kind, read }) => `${kind} ${read.agent}`)
}

test('a call that the hooks let through, and its result', async () => {
  await byAgent('send', { to: 'friend', n: 1 })
  const answer = await byProxy('send', { n: 1, to: 'friend' }, { id: 'known' })
  expect([answer.exit, answer.decision]).toEqual([0, 'none'])
  await byProxy('send', { n: 1, to: 'friend' }, { id: 'known', event: 'tools/result' })
  await daemon.hook('PostToolUse', {
    tool_name: 'mcp__demo__send',
    tool_input: { n: 1, to: 'friend' },
    tool_use_id: 'a1',
    tool_response: {},
  })
  expect(await recorded()).toEqual(['pre_tool_use claude-code', 'message claude-code', 'post_tool_use claude-code'])
})

test('once: the same call again was not seen by the hooks', async () => {
  await byAgent('send', { to: 'two' })
  await byProxy('send', { to: 'two' })
  await byProxy('send', { to: 'two' })
  expect(await recorded()).toEqual(['pre_tool_use claude-code', 'pre_tool_use mcp'])
})

test('with the input that the hooks made of it', async () => {
  await byAgent('rename', { name: 'old' })
  await byProxy('rename', { name: 'changed' })
  expect(await recorded()).toEqual(['pre_tool_use claude-code'])
  expect((await byProxy('rename', { name: 'old' })).stdout).toContain('changed')
})

test('what a person has answered at the agent is not asked again', async () => {
  expect((await byAgent('ask', { n: 1 }, { attended: true })).decision).toBe('ask')
  expect((await byProxy('ask', { n: 1 })).decision).toBe('none')
})

test.each([
  ['was denied there', { to: 'evil' }, {}, {}],
  ['is of another actor', { to: 'x' }, {}, { actor: 'agent:other' }],
  ['has another input', { to: 'y', n: 1 }, {}, {}],
])('a call that %s is judged', async (what, input, frame, more) => {
  await byAgent('send', input, frame)
  await byProxy('send', what === 'has another input' ? { ...input, n: 2 } : input, more)
  expect(await recorded()).toEqual(['pre_tool_use claude-code', 'pre_tool_use mcp'])
})

test('one that nobody could be asked about is judged', async () => {
  expect((await byAgent('ask', { n: 2 }, { attended: false })).decision).toBe('deny')
  expect((await byProxy('ask', { n: 2 })).decision).toBe('deny')
})
