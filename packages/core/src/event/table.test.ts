import { describe, expect, expectTypeOf, test } from 'vitest'
import { canonicalEventName, EVENTS, type EventPayload, findEvent } from './table.ts'

// The 33 events of the real client (2.1.325), and the three of other hosts.
const NAMES = `SessionStart Setup UserPromptSubmit UserPromptExpansion PreToolUse PermissionRequest PermissionDenied PostToolUse
  PostToolUseFailure PostToolBatch Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact SessionEnd Notification
  MessageDisplay InstructionsLoaded CwdChanged FileChanged DirectoryAdded ConfigChange PreModelSwitch PostModelSwitch TaskCreated
  TaskCompleted TeammateIdle Elicitation ElicitationResult WorktreeCreate WorktreeRemove PreModel PostModel PreToolSelection`.split(/\s+/)

test('every event is there, once', () => {
  expect(EVENTS.map(({ name }) => name).sort()).toEqual([...NAMES].sort())
})

test.each([
  ['PreToolUse', 'PreToolUse'],
  ['pre_tool_use', 'PreToolUse'],
  ['AgentStop', 'Stop'],
  ['agent_stop', 'Stop'],
  ['subagent_stop', 'SubagentStop'],
  ['NobodyKnows', 'NobodyKnows'],
  ['toString', 'toString'],
])('%s is %s', (given, canonical) => {
  expect(canonicalEventName(given)).toBe(canonical)
})

test.each(EVENTS)('$name names its own fields only', ({ fields, matchField, rewrites }) => {
  const named = [matchField, ...Object.values(rewrites)].filter(name => name !== null)
  expect(named.filter(name => !Object.hasOwn(fields, name))).toEqual([])
})

describe('what hooks may decide', () => {
  test.each([
    ['PreToolUse', ['allow', 'ask', 'deny'], 'by-fail'],
    ['PermissionRequest', ['allow', 'deny'], 'by-fail'],
    ['UserPromptSubmit', ['deny'], 'unless-closed'],
    ['PostToolUse', ['deny'], 'continue'],
    ['PostToolUseFailure', ['deny'], 'continue'],
    ['Stop', ['deny'], 'continue'],
    ['SubagentStop', ['deny'], 'continue'],
    ['SessionStart', [], 'continue'],
    ['SessionEnd', [], 'continue'],
    ['Notification', [], 'continue'],
  ])('%s: %j, on failure %s', (name, decisions, failure) => {
    expect(findEvent(name)).toMatchObject({ decisions, failure })
  })
})

test('payload types follow from the fields', () => {
  expectTypeOf<EventPayload<'PreToolUse'>['toolName']>().toEqualTypeOf<string>()
  expectTypeOf<EventPayload<'PreToolUse'>['toolInput']>().toEqualTypeOf<Readonly<Record<string, unknown>>>()
  expectTypeOf<EventPayload<'PreToolUse'>['toolUseId']>().toEqualTypeOf<string | null | undefined>()
  expectTypeOf<EventPayload<'PostToolUse'>['durationMs']>().toEqualTypeOf<number | null | undefined>()
  // @ts-expect-error a prompt is required
  expectTypeOf<object>().toExtend<EventPayload<'UserPromptSubmit'>>()
})
