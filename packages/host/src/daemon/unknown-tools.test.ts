// Tools that nobody described, at the door of the daemon and of the MCP proxy: nothing that a rule denies passes, whatever field it stands in.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCallJudge } from '../mcp-proxy/call-judge.ts'
import { runDaemon, type TestDaemon } from './fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
tools: { mcp__demo__box: shell, declared_box: shell }
permissions:
  default: none
  actors:
    "agent:*":
      deny: ["Bash(rm -rf *)", "Read(.env*)", "Write(.env*)", "Task(*)"]
`

type Input = Record<string, unknown>
const fixture = new URL('../../../core/src/policy/fixtures/unknown-tools.json', import.meta.url)
const { tools, commandFields, pathFields } = JSON.parse(readFileSync(fixture, 'utf8')) as {
  tools: string[]
  commandFields: { input: Input }[]
  pathFields: { input: Input }[]
}
const fill = ({ input }: { input: Input }, text: string): Input => {
  const words = text.split(' ')
  const filled = JSON.stringify(input).replaceAll('$TEXT', text).replaceAll('"$WORDS"', JSON.stringify(words))
  return JSON.parse(filled.replaceAll('"$FIRST"', JSON.stringify(words[0])).replaceAll('"$REST"', JSON.stringify(words.slice(1))))
}
const INPUTS = [...commandFields.map(field => fill(field, 'rm -rf src')), ...pathFields.map(field => fill(field, '.env'))]

let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterAll(() => daemon.stop())

/** Whether it could run where nobody is there to be asked. */
async function passes(tool: string, input: Input, more: Input = {}): Promise<boolean> {
  const { exit, decision } = await daemon.hook('PreToolUse', { tool_name: tool, tool_input: input, ...more })
  return exit === 0 && decision !== 'deny' && decision !== 'ask'
}

function proxied(tool: string, input: Input): Promise<boolean> {
  const io = { cwd: daemon.project, env: daemon.env, etc: join(daemon.home, 'etc'), startDaemon: () => undefined }
  const judge = createCallJudge({ server: 'demo', holdMs: 60_000, io })
  return judge.before({ session: 'mcp-1', tool, input, useId: 'u', definitionChange: null }).then(({ kind }) => kind === 'run')
}

test.each(tools)('%s', async tool => {
  const own = tool.split('__').at(-1) ?? tool
  const run = async (input: Input) => ({ input, daemon: await passes(tool, input), proxy: await proxied(own, input) })
  const ran = (await Promise.all(INPUTS.map(run))).filter(each => each.daemon || each.proxy)
  expect(ran).toEqual([])
})

test('a tool that the policy, or its program, says to be a shell', async () => {
  expect(await passes('declared_box', { job: 'rm -rf src' })).toBe(false)
  expect(await passes('declared_box', { job: 'ls' })).toBe(true)
  expect(await passes('other_box', { job: 'rm -rf src' }, { tool_kind: 'shell' })).toBe(false)
  expect(await proxied('box', { job: 'rm -rf src' })).toBe(false)
  expect(await proxied('box', { job: 'ls' })).toBe(true)
})

test.each(['dispatch_agent', 'mcp__swarm__agent_spawn', 'delegate'])('%s starts an agent', async tool => {
  const own = tool.split('__').at(-1) ?? tool
  expect([await passes(tool, { prompt: 'x' }), await proxied(own, { prompt: 'x' })]).toEqual([false, false])
})

test('texts that only speak of a command pass', async () => {
  const texts: [string, Input][] = [
    ['mcp__slack__post_message', { channel: 'dev', text: 'never run rm -rf src' }],
    ['mcp__notes__add', { content: 'rm -rf src' }],
    ['mcp__search__web', { query: 'what does rm -rf src do' }],
  ]
  for (const [tool, input] of texts) expect([tool, await passes(tool, input), await proxied(tool, input)]).toEqual([tool, true, true])
})

test('a host that nobody described: what it wants is read, refused so that any host stops, and recorded', async () => {
  const send = (toolCall: Input) => daemon.hook('PreToolUse', { session_id: 'unknown', toolCall })
  const free = await send({ name: 'run_it', args: JSON.stringify({ command: 'ls' }) })
  expect([free.exit, free.stdout, free.stderr]).toEqual([0, '', ''])
  for (const toolCall of [
    { name: 'run_it', args: JSON.stringify({ command: 'rm -rf src' }) },
    { name: 'Read', args: { file_path: '.env' } },
  ]) {
    const held = await send(toolCall)
    expect([held.exit, held.decision, JSON.parse(held.stdout).decision]).toEqual([2, 'deny', 'deny'])
    expect(held.stderr).toContain('is forbidden by the rule')
  }
  const unread = await send({ name: 'run_it', args: 'rm -rf src' })
  expect([unread.exit, unread.stderr]).toMatchObject([2, expect.stringContaining('is not what Claude Code sends')])
  const ours = (await daemon.entries('pre_tool_use')).filter(({ session }) => session === 'unknown')
  expect(ours.map(({ read }) => [read.unknownHost, read.verdict])).toEqual(['none', 'deny', 'deny', 'deny'].map(verdict => [true, verdict]))
})
