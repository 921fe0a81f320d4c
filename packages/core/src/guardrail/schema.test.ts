import { describe, expect, test } from 'vitest'
import { guarded } from './fixtures/ports.ts'
import type { GuardrailSettings } from './guardrail.ts'

const TOOLS = {
  Write: { required: ['file_path', 'content'], content_min_length: 10, example: { file_path: 'notes.md', content: 'What was found' } },
  'mcp__mail__*': {
    required_any: [
      ['to', 'cc'],
      ['text', 'html'],
    ],
  },
}

async function fire(settings: GuardrailSettings, toolName: string, toolInput: Record<string, unknown>) {
  const { verdict, context } = await guarded(settings).fire('PreToolUse', { toolName, toolInput })
  return { decision: verdict.decision, reason: 'reason' in verdict ? verdict.reason : undefined, context }
}

const EXAMPLE = 'Call it like this: Write({"file_path":"notes.md","content":"What was found"})'
const cases: readonly [title: string, tool: string, input: Record<string, unknown>, reason: string | null][] = [
  ['a whole call', 'Write', { file_path: 'a.md', content: 'long enough' }, null],
  ['a tool without rules', 'Read', {}, null],
  ['two fields are missing', 'Write', {}, `Write cannot run as called: \`file_path\` is missing; \`content\` is missing. ${EXAMPLE}`],
  [
    'an empty field is missing',
    'Write',
    { file_path: '', content: 'long enough' },
    `Write cannot run as called: \`file_path\` is missing. ${EXAMPLE}`,
  ],
  [
    'content is too short',
    'Write',
    { file_path: 'a', content: 'short' },
    `Write cannot run as called: \`content\` has 5 characters, at least 10 are needed. ${EXAMPLE}`,
  ],
  [
    'a field is of the wrong kind',
    'Write',
    { file_path: ['a'], content: 'long enough' },
    `Write cannot run as called: \`file_path\` is a list, a string is needed. ${EXAMPLE}`,
  ],
  ['one of two is enough', 'mcp__mail__send', { cc: 'x', html: 'y' }, null],
  ['neither is there', 'mcp__mail__send', { text: 'y' }, 'mcp__mail__send cannot run as called: one of `to`, `cc` is missing.'],
]

describe('schema_guard', () => {
  test.each(cases)('%s', async (_title, tool, input, reason) => {
    const said = await fire({ schema_guard: { tools: TOOLS } }, tool, input)
    expect([said.decision, said.reason]).toEqual(reason === null ? ['none', undefined] : ['deny', reason])
  })

  test('guide: advice instead of a deny', async () => {
    expect(await fire({ schema_guard: { mode: 'guide', tools: TOOLS } }, 'Write', {})).toEqual({
      decision: 'none',
      reason: undefined,
      context: [`Write cannot run as called: \`file_path\` is missing; \`content\` is missing. ${EXAMPLE}`],
    })
  })

  test('off: nothing', async () => {
    expect((await fire({ schema_guard: { mode: 'off', tools: TOOLS } }, 'Write', {})).decision).toBe('none')
  })

  test('a JSON Schema is checked by the port', async () => {
    const compileSchema = () => async (value: unknown) => [`/n of ${JSON.stringify(value)} is no number`]
    const hooks = guarded({ schema_guard: { tools: { Count: { schema: { type: 'object' } } } } }, undefined, { compileSchema })
    const { verdict } = await hooks.fire('PreToolUse', { toolName: 'Count', toolInput: { n: 'x' } })
    expect(verdict).toEqual({ decision: 'deny', reason: 'Count cannot run as called: /n of {"n":"x"} is no number.' })
  })

  test('a JSON Schema that nothing can read denies rather than lets through', async () => {
    expect((await fire({ schema_guard: { tools: { Count: { schema: { type: 'object' } } } } }, 'Count', {})).decision).toBe('deny')
  })
})

describe('schema_nudge', () => {
  const settings: GuardrailSettings = { schema_guard: { mode: 'off', tools: TOOLS }, schema_nudge: {} }
  const NUDGE = `Write refused its input. It needs \`file_path\`, \`content\`. ${EXAMPLE}`

  test('after a failure that looks like a validation error', async () => {
    const { context } = await guarded(settings).fire('PostToolUseFailure', {
      toolName: 'Write',
      error: 'InputValidationError: content is required',
    })
    expect(context).toEqual([NUDGE])
  })

  test('not after another failure', async () => {
    expect((await guarded(settings).fire('PostToolUseFailure', { toolName: 'Write', error: 'EACCES' })).context).toEqual([])
  })

  test('after a result that is marked as an error, not after one that only talks of errors', async () => {
    const hooks = guarded(settings)
    const marked = { isError: true, content: 'validation error: missing required field content' }
    expect((await hooks.fire('PostToolUse', { toolName: 'Write', toolResponse: marked })).context).toEqual([NUDGE])
    expect((await hooks.fire('PostToolUse', { toolName: 'Write', toolResponse: 'wrote a page about validation error' })).context).toEqual(
      [],
    )
  })

  test('from a batch, once for the same tool', async () => {
    const call = { tool_name: 'Write', tool_response: '<tool_use_error>InputValidationError: missing required parameter</tool_use_error>' }
    const { context } = await guarded(settings).fire('PostToolBatch', {
      toolCalls: [call, call, { tool_name: 'Read', tool_response: 'ok' }, 7],
    })
    expect(context).toEqual([NUDGE])
  })
})
