import { describe, expect, test } from 'vitest'
import { checkGuardrail } from './create-guardrails.ts'
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
  [
    'neither is there',
    'mcp__mail__send',
    { text: 'y' },
    'mcp__mail__send cannot run as called: one of `to`, `cc` is missing. Call it like this: mcp__mail__send({"to":"…","text":"…"})',
  ],
]

describe('schema_guard', () => {
  test.each(cases)('%s', async (_title, tool, input, reason) => {
    const said = await fire({ schema_guard: { tools: TOOLS } }, tool, input)
    expect([said.decision, said.reason]).toEqual(reason === null ? ['none', undefined] : ['deny', reason])
  })

  test.each<[string, Record<string, unknown>]>([
    ['lengths', { required: ['content'], content_min_length: 40 }],
    [
      'one of several',
      {
        required_any: [
          ['a', 'b'],
          ['c', 'd'],
        ],
      },
    ],
    ['all at once', { required: ['x'], required_any: ['a', 'b'], content_min_length: { x: 20, a: 5 } }],
  ])('the call it shows would be let through: %s', async (_title, rule) => {
    const settings = { schema_guard: { tools: { T: rule } } }
    const { reason = '' } = await fire(settings, 'T', {})
    const shown = /Call it like this: T\((.*)\)$/.exec(reason)?.[1] ?? 'null'
    expect((await fire(settings, 'T', JSON.parse(shown))).decision).toBe('none')
  })

  test('an example that its own rule refuses is an error of the config', () => {
    const config = { tools: { Write: { required: ['content'], content_min_length: 10, example: { content: 'short' } } } }
    expect(checkGuardrail('schema_guard', config).map(({ message }) => message)).toEqual([
      '`tools.Write.example` would be refused itself: `content` has 5 characters, at least 10 are needed',
    ])
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
    const compileSchema = () => async (value: unknown) => [`/n of ${JSON.stringify(value)} is not a number`]
    const hooks = guarded({ schema_guard: { tools: { Count: { schema: { type: 'object' } } } } }, undefined, { compileSchema })
    const { verdict } = await hooks.fire('PreToolUse', { toolName: 'Count', toolInput: { n: 'x' } })
    expect(verdict).toEqual({ decision: 'deny', reason: 'Count cannot run as called: /n of {"n":"x"} is not a number.' })
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

  test.each<[string, unknown]>([
    ['pydantic', '1 validation error for Write\ncontent\n  Field required [type=missing, input_value={}, input_type=dict]'],
    [
      'zod 3',
      JSON.stringify([{ code: 'invalid_type', expected: 'string', received: 'undefined', path: ['content'], message: 'Required' }]),
    ],
    ['zod 4', JSON.stringify([{ expected: 'string', code: 'invalid_type', path: ['content'], message: 'Invalid input' }])],
    ['ZodError', 'ZodError: [{"code":"invalid_type","expected":"string","received":"undefined"}]'],
    ['a plain sentence', 'missing required field: content'],
    ['JSON text with an error', '{"error": "missing required field content"}'],
    ['an error object', { error: { code: -32602, message: 'Invalid params' } }],
    ['JSON text with an error object', '{"error":{"message":"content is required"}}'],
    ['a list of errors', { errors: [{ message: "must have required property 'content'" }] }],
  ])('after ordinary validation errors: %s', async (_title, said) => {
    const hooks = guarded(settings)
    expect((await hooks.fire('PostToolUse', { toolName: 'Write', toolResponse: said })).context).toEqual([NUDGE])
    const error = typeof said === 'string' ? said : JSON.stringify(said)
    expect((await hooks.fire('PostToolUseFailure', { toolName: 'Write', error })).context).toEqual([NUDGE])
  })

  test.each(['{"error": null, "text": "content is required"}', '{"errors": []}', 'a field is required, said the page', '[{"code": 1}]'])(
    'not after %s',
    async said => {
      expect((await guarded(settings).fire('PostToolUse', { toolName: 'Write', toolResponse: said })).context).toEqual([])
    },
  )

  test('from a batch, once for the same tool', async () => {
    const call = { tool_name: 'Write', tool_response: '<tool_use_error>InputValidationError: missing required parameter</tool_use_error>' }
    const { context } = await guarded(settings).fire('PostToolBatch', {
      toolCalls: [call, call, { tool_name: 'Read', tool_response: 'ok' }, 7],
    })
    expect(context).toEqual([NUDGE])
  })
})
