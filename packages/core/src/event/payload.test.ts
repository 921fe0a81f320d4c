import { describe, expect, test } from 'vitest'
import { eventJsonSchema } from './json-schema.ts'
import { parseEventPayload } from './parse-payload.ts'
import { EVENTS, findEvent } from './table.ts'
import { toWirePayload } from './wire-payload.ts'

const COMMON = { session_id: 's1', transcript_path: '/t.jsonl', cwd: '/repo', permission_mode: 'default', hook_event_name: 'PreToolUse' }
const BODY = { sessionId: 's1', transcriptPath: '/t.jsonl', cwd: '/repo', permissionMode: 'default' }

describe('a payload becomes camelCase outside and stays as it is inside', () => {
  test('PreToolUse', () => {
    const tool_input = { file_path: 'a', nested: { snake_case: [1] }, toolName: 'x' }
    const parsed = parseEventPayload('PreToolUse', { ...COMMON, tool_name: 'Write', tool_input, tool_use_id: 'u1', brand_new_field: 1 })
    expect(parsed).toEqual({
      ok: true,
      value: { name: 'PreToolUse', ...BODY, fields: { toolName: 'Write', toolInput: tool_input, toolUseId: 'u1', brand_new_field: 1 } },
    })
    expect(parsed.ok && parsed.value.fields.toolInput).toBe(tool_input)
  })

  test('an event nobody knows keeps its own spelling', () => {
    expect(parseEventPayload('Brand_New', { session_id: 's1', some_field: { a_b: 1 }, prompt_id: 'p' })).toEqual({
      ok: true,
      value: {
        name: 'Brand_New',
        sessionId: 's1',
        cwd: null,
        transcriptPath: null,
        permissionMode: null,
        fields: { some_field: { a_b: 1 }, promptId: 'p' },
      },
    })
  })

  test('only the session id must be there, and null is as good as absent', () => {
    expect(parseEventPayload('Stop', { session_id: 's1', cwd: null, stop_hook_active: null }).ok).toBe(true)
  })

  test('the method decides the event, aliases included', () => {
    expect(parseEventPayload('agent_stop', COMMON)).toMatchObject({ ok: true, value: { name: 'Stop' } })
  })

  test('camelCase is understood too', () => {
    expect(parseEventPayload('PreToolUse', { sessionId: 's1', toolName: 'Bash', toolInput: {} }).ok).toBe(true)
  })

  test('__proto__ is a field like any other', () => {
    const raw: unknown = JSON.parse('{"session_id":"s1","__proto__":{"polluted":true}}')
    const parsed = parseEventPayload('Stop', raw)
    expect(parsed.ok && 'polluted' in parsed.value.fields).toBe(false)
    expect(parsed.ok && Object.keys(parsed.value.fields)).toEqual(['__proto__'])
  })
})

describe('what is wrong is said with its path', () => {
  test.each<[string, unknown, unknown]>([
    [
      'PreToolUse',
      {},
      [
        ['session_id', 'is missing, expected a string'],
        ['tool_name', 'is missing, expected a string'],
        ['tool_input', 'is missing, expected an object'],
      ],
    ],
    ['PreToolUse', { session_id: 7, tool_name: 'X', tool_input: {} }, [['session_id', 'must be a string, not number 7']]],
    [
      'PreToolUse',
      { session_id: 's', tool_name: null, tool_input: [] },
      [
        ['tool_name', 'must be a string, not null'],
        ['tool_input', 'must be an object, not an array'],
      ],
    ],
    ['Stop', { session_id: 's', stop_hook_active: 'yes' }, [['stop_hook_active', 'must be a boolean, not string yes']]],
    ['Stop', [], [['', 'must be an object, not an array']]],
    ['Stop', null, [['', 'must be an object, not null']]],
  ])('%s %j', (name, raw, problems) => {
    const parsed = parseEventPayload(name, raw)
    expect(parsed.ok ? [] : parsed.problems.map(({ path, message }) => [path, message])).toEqual(problems)
  })
})

test('what came in goes out again to command hooks, with who is acting', () => {
  const raw = { ...COMMON, tool_name: 'Write', tool_input: { file_path: 'a' }, tool_use_id: 'u1', brand_new_field: 1 }
  const parsed = parseEventPayload('PreToolUse', raw)
  if (!parsed.ok) throw new Error('does not parse')
  const event = { ...parsed.value, cwd: '/repo', actor: 'agent:executor', agent: 'claude-code', commitment: 'c1', env: {} }
  expect(toWirePayload(event)).toEqual({ ...raw, actor: 'agent:executor', commitment_id: 'c1' })
})

test.each(EVENTS)('the JSON Schema of $name requires what the parser requires', event => {
  const parsed = parseEventPayload(event.name, {})
  expect([...eventJsonSchema(event).required].sort()).toEqual(parsed.ok ? [] : parsed.problems.map(({ path }) => path).sort())
})

test('the JSON Schema of PermissionRequest', () => {
  const spec = findEvent('PermissionRequest')
  expect(spec && eventJsonSchema(spec)).toMatchObject({
    type: 'object',
    title: 'PermissionRequest',
    properties: {
      tool_name: { type: 'string' },
      permission_suggestions: { type: ['array', 'null'] },
      effort: { type: ['object', 'null'] },
    },
    required: ['session_id', 'tool_name', 'tool_input'],
    additionalProperties: true,
  })
})
