// The hooks option of the Claude Agent SDK: called as the SDK calls it, with the payloads of Claude Code.
import { expect, test } from 'vitest'
import type { Gate } from '../engine/pipeline/gate.ts'
import { createSdkHooks, SDK_EVENTS } from './claude-agent-sdk.ts'
import { guardedPipeline } from './fixtures/guarded-pipeline.ts'

const signal = new AbortController().signal

function call(gate: Gate, event: string, payload: object, attended = false) {
  const hook = createSdkHooks({ gate, attended })[event]?.[0]?.hooks[0]
  return hook?.({ session_id: 's1', cwd: '/repo', transcript_path: '/t', hook_event_name: event, ...payload }, 'u1', { signal })
}

const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: 'u1' })

test('every event has one hook', () => {
  expect(Object.keys(createSdkHooks({ gate: guardedPipeline().pipeline.gate }))).toEqual([...SDK_EVENTS])
})

test('a denied call is denied in the words of the SDK', async () => {
  expect(await call(guardedPipeline().pipeline.gate, 'PreToolUse', bash('rm x'))).toMatchObject({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringMatching(/^Tool denied: /),
    },
  })
})

test('an allowed call is allowed', async () => {
  expect(await call(guardedPipeline().pipeline.gate, 'PreToolUse', bash('ls'))).toMatchObject({
    hookSpecificOutput: { permissionDecision: 'allow' },
  })
})

test('a rewritten input comes back', async () => {
  const { hooks, pipeline } = guardedPipeline()
  hooks.on('PreToolUse', context => {
    context.toolInput.command = 'pwd'
  })
  expect(await call(pipeline.gate, 'PreToolUse', bash('ls'))).toMatchObject({ hookSpecificOutput: { updatedInput: { command: 'pwd' } } })
})

test('context for the model', async () => {
  const { hooks, pipeline } = guardedPipeline()
  hooks.on('UserPromptSubmit', () => ({ context: 'today is Sunday' }))
  expect(await call(pipeline.gate, 'UserPromptSubmit', { prompt: 'hi' })).toMatchObject({
    hookSpecificOutput: { additionalContext: 'today is Sunday' },
  })
})

test.each([
  ['PreToolUse', bash('ls'), { hookSpecificOutput: { permissionDecision: 'deny' } }],
  ['PermissionRequest', bash('ls'), { hookSpecificOutput: { decision: { behavior: 'deny' } } }],
  ['PostToolUse', { ...bash('ls'), tool_response: 'x' }, {}],
])('a gate that breaks: %s', async (event, payload, answer) => {
  const broken: Gate = { isWatched: () => true, pass: () => Promise.reject(new Error('broken')) }
  expect(await call(broken, event, payload)).toMatchObject(answer)
})

test('a payload that cannot be read is denied', async () => {
  expect(await call(guardedPipeline().pipeline.gate, 'PreToolUse', { tool_name: 7 })).toMatchObject({
    hookSpecificOutput: { permissionDecision: 'deny' },
  })
})
