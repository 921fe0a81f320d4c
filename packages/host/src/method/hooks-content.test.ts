// Every hook method answers with all that a native answer carries: decision, texts for the model and the person, rewrites, the end of the turn.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'

const EVENTS: readonly (readonly [method: string, event: string, fields: Record<string, unknown>])[] = [
  ['sessionStart', 'SessionStart', { source: 'startup' }],
  ['preToolUse', 'PreToolUse', { tool_name: 'Look', tool_input: { a: 1 }, tool_use_id: 't1' }],
  // Not the call before, which some of the policies deny: that one ran all the same is told only once.
  ['postToolUse', 'PostToolUse', { tool_name: 'Look', tool_input: { a: 1 }, tool_use_id: 't2', tool_response: 'ok' }],
  ['postToolUseFailure', 'PostToolUseFailure', { tool_name: 'Look', tool_input: { a: 1 }, tool_use_id: 't1', error: 'boom' }],
  ['userPrompt', 'UserPromptSubmit', { prompt: 'go' }],
  ['notification', 'Notification', { message: 'look' }],
  ['permissionRequest', 'PermissionRequest', { tool_name: 'Look', tool_input: { a: 1 } }],
  ['subagentStart', 'SubagentStart', { agent_id: 'sub1', agent_type: 'x' }],
  ['subagentStop', 'SubagentStop', { agent_id: 'sub1', agent_type: 'x' }],
  ['teammateIdle', 'TeammateIdle', { teammate_name: 'mate' }],
  ['taskCompleted', 'TaskCompleted', { task_id: '1' }],
  ['configChange', 'ConfigChange', { source: 'user_settings' }],
  ['preCompact', 'PreCompact', { trigger: 'manual' }],
  ['stop', 'Stop', { stop_hook_active: false }],
  ['sessionEnd', 'SessionEnd', { reason: 'other' }],
]

function toSnakeCase(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, letter => `_${letter}`).toLowerCase()
}

function policyAnswering(answer: object): string {
  const hooks = EVENTS.map(
    ([, event]) =>
      `  ${toSnakeCase(event)}:\n    - { name: speaker, type: command, config: { command: "printf %s '${JSON.stringify(answer).replaceAll('"', '\\"')}'" } }`,
  )
  return `version: "2.0"\nhooks:\n${hooks.join('\n')}\n`
}

const ANSWERS: readonly (readonly [string, object])[] = [
  ['texts', { systemMessage: 'for the person', additionalContext: 'for the model' }],
  ['a deny', { decision: 'block', reason: 'not now', systemMessage: 'for the person' }],
  ['the end of the turn', { continue: false, stopReason: 'enough' }],
]

describe.each(ANSWERS)('%s', (_title, answer) => {
  let daemon: TestDaemon
  beforeAll(async () => {
    daemon = await runDaemon({ policy: policyAnswering(answer) })
  })
  afterAll(() => daemon.stop())

  test.each(EVENTS)('hooks.%s says what %s says natively', async (method, event, fields) => {
    const native = await daemon.hook(event, fields)
    const reply = await daemon.rpc(`hooks.${method}`, { session_id: 's1', cwd: daemon.project, ...fields })
    const said = native.stdout === '' ? {} : JSON.parse(native.stdout)
    const specific = said.hookSpecificOutput ?? {}
    const isDenied =
      native.exit === 2 || said.decision === 'block' || specific.permissionDecision === 'deny' || specific.decision?.behavior === 'deny'
    const result = 'result' in reply ? reply.result : {}
    if (isDenied) expect(result).toMatchObject({ decision: 'deny', reason: expect.stringMatching(/not now|enough/) })
    for (const [spoken, carried] of [
      [specific.additionalContext, result.additionalContext],
      [said.systemMessage, result.systemMessage],
      [said.stopReason, result.stopReason],
    ]) {
      if (spoken !== undefined) expect(carried).toBe(spoken)
    }
  })
})

describe('what the daemon itself adds', () => {
  let daemon: TestDaemon
  const NUDGE = `version: "2.0"
guardrails:
  schema_guard: { tools: { Look: { required: [path], example: { path: "src/a.ts" } } } }
  schema_nudge: {}
`
  beforeAll(async () => {
    daemon = await runDaemon({ policy: NUDGE })
  })
  afterAll(() => daemon.stop())

  test('a nudge reaches whoever asks over RPC', async () => {
    const call = { tool_name: 'Look', tool_input: {}, tool_use_id: 't1', error: 'validation error: path is required' }
    expect(await daemon.rpc('hooks.postToolUseFailure', { session_id: 's1', cwd: daemon.project, ...call })).toMatchObject({
      result: { additionalContext: expect.stringContaining('src/a.ts') },
    })
  })
})
