import { expect, test } from 'vitest'
import { createHooks } from '../engine/create-hooks.ts'
import { GUARDRAIL_NAMES } from '../hook/guardrail-names.ts'
import { checkGuardrail, createGuardrails, GUARDRAILS } from './create-guardrails.ts'
import { createMemory, portsOf } from './fixtures/ports.ts'

test('every name has its guardrail', () => {
  expect(GUARDRAILS.map(({ name }) => name)).toEqual(GUARDRAIL_NAMES)
})

test.each(GUARDRAIL_NAMES)('%s: a key that is not known is an error', name => {
  expect(checkGuardrail(name, { mode: 'guide', modee: 1 }).map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/`modee` is not known/),
  )
})

test.each([
  ['schema_guard', { mode: 'loud' }, '`mode` must be one of strict, guide, off'],
  ['schema_guard', { tools: { Write: { required: 'x' } } }, '`tools.Write.required` must be a list of texts that are not empty'],
  ['schema_guard', { tools: [] }, '`tools` must be a mapping'],
  [
    'schema_guard',
    { tools: { Write: { content_min_length: 'x' } } },
    '`tools.Write.content_min_length` must be a number, or a mapping of field names to numbers',
  ],
  ['failure_hints', { hints: [{ pattern: '(', hint: 'x' }] }, expect.stringMatching(/^`hints\.0\.pattern` is not a regular expression/)],
  ['side_effects', { ask: ['everything'] }, '`ask` may hold external, memory, local, read_only'],
  ['tool_ledger', { rules: [{ class: 'external' }] }, '`rules.0.tool` is missing: name the tool or a pattern such as "Bash(git push *)"'],
  ['artifacts', { expect: [{ agent: 'x' }] }, '`expect.0.files` must name at least one file or glob'],
  ['stop_harness', { promise: 'x' }, '`objective` is missing: say what is to be reached'],
  ['nope', {}, 'there is no guardrail nope'],
])('%s %j', (name, config, message) => {
  expect(checkGuardrail(name, config).map(problem => problem.message)).toContainEqual(message)
})

test('in code a wrong config throws, and names the guardrail', () => {
  expect(() => createGuardrails({ schema_guard: { x: 1 } }, portsOf(createMemory()))).toThrow(/guardrail schema_guard: `x` is not known/)
})

test.each<[Record<string, unknown>, RegExp]>([
  [{ nope: {} }, /there is no guardrail nope; there are schema_guard, /],
  [{ schemaGuard: {} }, /there is no guardrail schemaGuard/],
  [{ schema_guard: true }, /guardrail schema_guard: its settings must be an object/],
  [{ schema_guard: null }, /guardrail schema_guard: its settings must be an object/],
  [{ schema_guard: { mode: 'loud' } }, /guardrail schema_guard: `mode` must be one of strict, guide, off/],
])('in code %j is refused', (settings, message) => {
  expect(() => createGuardrails(settings as never, portsOf(createMemory()))).toThrow(message)
})

test('a guardrail without its port says what it needs', () => {
  expect(() => createGuardrails({ tool_ledger: {} }, { now: Date.now, rootOf: () => '/' })).toThrow(/ports\.toolCalls/)
})

test('a guardrail that fails holds up a call and nothing else', async () => {
  const broken = () => Promise.reject(new Error('broken'))
  const { toolCalls, skills, ...rest } = portsOf(createMemory())
  if (toolCalls === undefined || skills === undefined) throw new Error('the fixture has both')
  const hooks = createHooks()
  const ports = { ...rest, skills: { ...skills, list: broken }, toolCalls: { ...toolCalls, find: broken } }
  hooks.registry.addAll(createGuardrails({ tool_ledger: {}, skill_discovery: {} }, ports, { scope: 'policy' }))
  const call = await hooks.fire('PreToolUse', { toolName: 'Bash', toolInput: { command: 'git push' } })
  const prompt = await hooks.fire('UserPromptSubmit', { prompt: 'x' })
  expect([call.verdict.decision, prompt.verdict.decision]).toEqual(['deny', 'none'])
})
