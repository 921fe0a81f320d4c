// Tools of a program in TypeScript that nobody described: nothing that a rule denies runs, whatever field it stands in.
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { COMMAND_FIELDS, fill, PATH_FIELDS, TOOLS } from '../../policy/fixtures/unknown-tools.ts'
import { parseGenesis } from '../../policy/genesis/parse-genesis.ts'
import { none } from '../../verdict/verdict.ts'
import { createHooks } from '../create-hooks.ts'
import { createToolPipeline } from './create-tool-pipeline.ts'
import type { Tool } from './tool.ts'

const POLICY = `version: "2.0"
permissions:
  default: allow
  actors:
    "agent:*":
      deny: ["Bash(rm -rf *)", "Read(.env*)", "Write(.env*)"]
`

function pipelineOf(ran: unknown[]) {
  const parsed = parseGenesis(POLICY, 'genesis.key')
  if (!parsed.ok) throw new Error(parsed.errors[0]?.message)
  const pipeline = createToolPipeline({ hooks: createHooks(), policies: [parsed.policy] })
  const run = async (tool: Pick<Tool, 'name' | 'kind'>, input: Record<string, unknown>) => {
    const { status } = await pipeline.runTool({ ...tool, execute: given => void ran.push({ tool: tool.name, given }) }, input)
    return status
  }
  return run
}

test.each(TOOLS)('%s', async name => {
  const ran: unknown[] = []
  const run = pipelineOf(ran)
  for (const field of COMMAND_FIELDS) await run({ name }, fill(field, 'rm -rf src'))
  for (const field of PATH_FIELDS) await run({ name }, fill(field, '.env'))
  expect(ran).toEqual([])
})

test('a tool that says what it is', async () => {
  const ran: unknown[] = []
  const run = pipelineOf(ran)
  expect(await run({ name: 'box', kind: 'shell' }, { job: 'rm -rf src' })).toBe('denied')
  expect(await run({ name: 'peek', kind: 'read' }, { which: '.env' })).toBe('denied')
  expect(ran).toEqual([])
  expect(await run({ name: 'box', kind: 'shell' }, { job: 'git status' })).toBe('succeeded')
  // Nobody said what this one is, and its field may be anything.
  expect(await run({ name: 'note' }, { job: 'about rm -rf src' })).toBe('succeeded')
})

const INPUT = { command: 'rm -rf src' }
class Given {
  readonly command = 'rm -rf src'
}

test.each<[string, unknown]>([
  ['JSON as text', JSON.stringify(INPUT)],
  ['a list', [INPUT]],
  ['a map', new Map(Object.entries(INPUT))],
  ['fields that are inherited', Object.create(INPUT)],
  ['an object of a class', new Given()],
  ['nothing', null],
])('%s is no input, of whatever tool', async (_what, input) => {
  const ran: unknown[] = []
  const run = pipelineOf(ran)
  for (const name of ['box', 'Bash', 'mcp__a__b']) expect(await run({ name }, input as Record<string, unknown>)).toBe('invalid')
  expect(ran).toEqual([])
})

test('an object of another realm, or without a prototype, is plain', async () => {
  const ran: unknown[] = []
  const run = pipelineOf(ran)
  for (const make of [() => runInNewContext('({ command: "ls" })'), () => Object.assign(Object.create(null), { command: 'ls' })])
    expect(await run({ name: 'box' }, make() as Record<string, unknown>)).toBe('succeeded')
})

test('nor may a hook make such an input', async () => {
  const hooks = createHooks()
  hooks.on('PreToolUse', () => ({ verdict: none(), rewrite: { input: new Given() as unknown as Record<string, unknown> } }))
  const pipeline = createToolPipeline({ hooks })
  const ran: unknown[] = []
  const { status } = await pipeline.runTool({ name: 'box', execute: given => void ran.push(given) }, { command: 'ls' })
  expect([status, ran]).toEqual(['invalid', []])
})
