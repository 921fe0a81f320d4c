import { afterAll, beforeAll, expect, test } from 'vitest'
import { runStateDaemon, type StateDaemon } from './fixtures/state-daemon.ts'

const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      deny: ["Bash(git push *)"]
      ask: ["Bash(npm publish *)"]
`

let daemon: StateDaemon

beforeAll(async () => {
  daemon = await runStateDaemon({ policy: POLICY })
})
afterAll(() => daemon.stop())

const tool = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1' }
const state = { agentId: 'fields', status: 'working', statusReason: null, effortId: null, sessionId: expect.any(Number) }
/** What every method answers beside its own fields. */
const nothing = {
  decision: 'none',
  reason: null,
  rule: null,
  additionalContext: null,
  systemMessage: null,
  stopReason: null,
  updatedInput: null,
  updatedPrompt: null,
  updatedToolOutput: null,
}

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  [
    'sessionStart',
    { source: 'startup' },
    {
      found: false,
      effortId: null,
      sessionId: expect.any(Number),
      skill: null,
      phase: null,
      filesToPreload: [],
      dehydratedContext: null,
      skillConfig: null,
    },
  ],
  [
    'preToolUse',
    tool,
    {
      allow: true,
      heartbeatCount: null,
      contextUsage: null,
      overflowWarning: false,
      pendingPreloads: [],
      firedRules: [],
    },
  ],
  ['postToolUse', { ...tool, tool_response: 'ok' }, { heartbeatCount: null, pendingInjections: [], dialogueEntry: null }],
  [
    'userPrompt',
    { prompt: 'go' },
    {
      sessionContext: expect.stringContaining('time 20'),
      effortId: null,
      sessionId: expect.any(Number),
      taskDir: null,
      skill: null,
      phase: null,
      heartbeat: null,
    },
  ],
  ['postToolUseFailure', { ...tool, error: 'boom' }, { ...state, status: 'error', statusReason: 'Bash failed: boom' }],
  ['notification', { message: 'look', notification_type: 'permission_prompt' }, { ...state, status: 'attention', statusReason: 'look' }],
  [
    'permissionRequest',
    { tool_name: 'Bash', tool_input: { command: 'ls' } },
    { ...state, status: 'attention', statusReason: 'asks to use Bash' },
  ],
  [
    'subagentStart',
    { agent_id: 'sub1', agent_type: 'x' },
    { ...state, skill: null, phase: null, logFile: null, logTemplate: null, directives: [], metadata: null },
  ],
  ['subagentStop', { agent_id: 'sub1', agent_type: 'x' }, { ...state, ended: true }],
  ['teammateIdle', { teammate_name: 'mate', team_name: 'crew' }, { ...state, signalled: ['fields'] }],
  ['taskCompleted', { task_id: '1', task_subject: 'it' }, { ...state, signalled: [], finishedEffort: null }],
  ['configChange', { source: 'user_settings' }, { ...state, invalidated: true }],
  [
    'preCompact',
    { trigger: 'manual', custom_instructions: null },
    { ...state, ended: false, restart: false, runId: null, recoveryPrompt: null },
  ],
  [
    'stop',
    { stop_hook_active: false, last_assistant_message: 'done' },
    {
      ...state,
      status: 'done',
      rateLimited: false,
      resetsAt: null,
      exhausted: false,
      restart: false,
      recoveryPrompt: null,
      signalled: [],
    },
  ],
  ['sessionEnd', { reason: 'other' }, { ...state, status: 'done', ended: true, signalled: [] }],
])('hooks.%s answers with every field', async (name, fields, expected) => {
  expect(await daemon.as('fields').hook(name, fields)).toEqual({ ...nothing, ...expected })
})

test.each([
  ['git push origin main', 'true', { allow: false, decision: 'deny', reason: expect.stringContaining('git push') }],
  ['npm publish', 'true', { allow: false, decision: 'ask' }],
  ['npm publish', 'false', { allow: false, decision: 'deny' }],
])('permissions decide as for a native call: %s, attended %s', async (command, attended, expected) => {
  const call = { ...tool, tool_input: { command } }
  expect(await daemon.as('p').hook('preToolUse', call, { 'belay-attended': attended })).toMatchObject(expected)
})

test('names may be camelCase, and the method decides the event', async () => {
  const params = {
    sessionId: 'camel',
    cwd: daemon.project,
    hookEventName: 'Stop',
    toolName: 'Bash',
    toolInput: { command: 'git push' },
    toolUseId: 't',
  }
  expect(await daemon.rpc('hooks.preToolUse', params)).toMatchObject({ allow: false, decision: 'deny' })
})

test('keys inside a tool input are the agent’s own', async () => {
  expect(
    await daemon.rpc('hooks.preToolUse', {
      session_id: 'k',
      cwd: daemon.project,
      toolName: 'Custom',
      toolInput: { someKey: 1 },
      toolUseId: 't',
    }),
  ).toMatchObject({
    allow: true,
  })
})

test('a payload that cannot be read is an error of the caller', async () => {
  const error =
    'The payload of PreToolUse: session_id is missing, expected a string; tool_name is missing, expected a string; tool_input is missing, expected an object.'
  expect(await daemon.rpc('hooks.preToolUse', { cwd: daemon.project })).toEqual({ error })
})

test.each<[string, Record<string, unknown>, string]>([
  ['preToolUse', { tool_input: {} }, 'tool_name is missing'],
  ['postToolUse', { tool_name: 7 }, 'tool_name must be a string, not number 7'],
  ['userPrompt', {}, 'prompt is missing'],
  ['userPrompt', { prompt: 7 }, 'prompt must be a string, not number 7'],
  ['stop', { stop_hook_active: 'yes' }, 'stop_hook_active must be a boolean, not string yes'],
])('the error of hooks.%s with %j names the field', async (name, fields, words) => {
  expect(await daemon.as('f').hook(name, fields)).toEqual({ error: expect.stringContaining(words) })
})

test('belay-agent names the agent whose payload it is', async () => {
  const params = { session_id: 'g', cwd: daemon.project, tool_name: 'run_shell_command', tool_input: { command: 'git push' } }
  expect(await daemon.rpc('hooks.preToolUse', params, { 'belay-agent': 'gemini' })).toMatchObject({ decision: 'deny' })
  expect(await daemon.rpc('hooks.preToolUse', params, { 'belay-agent': 'nobody' })).toEqual({ error: 'There is no agent called nobody.' })
})
