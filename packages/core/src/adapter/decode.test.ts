import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Agent, findAgent } from './agent.ts'
import { decodeEvent } from './decode.ts'
import { joinedMcpNames } from './tool-name.ts'

interface Recorded {
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Payloads that the real clients sent. */
function recorded(agent: string): readonly Recorded[] {
  return JSON.parse(readFileSync(new URL(`./fixtures/${agent}.json`, import.meta.url), 'utf8'))
}

function agent(id: string): Agent {
  const found = findAgent(id)
  if (found === null) throw new Error(`no agent ${id}`)
  return found
}

const measured = ['claude-code', 'codex', 'gemini', 'copilot', 'qwen']

describe.each(measured)('every recorded payload of %s', id => {
  test.each(recorded(id).map(({ event, payload }, index) => [event, index, payload] as const))('%s (%i)', (event, _index, payload) => {
    const decoded = decodeEvent(agent(id), event, payload)
    expect(typeof decoded.payload.session_id).toBe('string')
    expect(decoded.payload.hook_event_name).toBe(decoded.event)
    if (decoded.event === 'PreToolUse') expect(decoded.payload.tool_input).toBeTypeOf('object')
    if (decoded.event === 'UserPromptSubmit') expect(decoded.payload.prompt).toBeTypeOf('string')
  })
})

test.each(['codex', 'gemini', 'copilot', 'qwen'])('a shell call of %s is Bash with a command, the raw name is kept', id => {
  const event = recorded(id).find(row => row.payload.tool_input !== undefined || row.payload.toolArgs !== undefined)
  if (event === undefined) throw new Error('no tool call recorded')
  const decoded = decodeEvent(agent(id), event.event, event.payload)
  expect(decoded.payload.tool_name).toBe('Bash')
  expect(decoded.payload.tool_input).toMatchObject({ command: expect.any(String) })
  expect(decoded.rawTool?.name).toBe(event.payload.tool_name ?? event.payload.toolName)
})

const documented: readonly [agent: string, event: string, raw: Record<string, unknown>, payload: Record<string, unknown>][] = [
  [
    'cursor',
    'beforeShellExecution',
    { conversation_id: 'c1', workspace_roots: ['/repo'], command: 'ls' },
    { session_id: 'c1', cwd: '/repo', tool_name: 'Bash', tool_input: { command: 'ls' }, hook_event_name: 'PreToolUse' },
  ],
  [
    'cursor',
    'beforeMCPExecution',
    { conversation_id: 'c1', tool_name: 'MCP:query', tool_input: '{"sql":"select 1"}' },
    { tool_name: 'mcp__cursor__query', tool_input: { sql: 'select 1' } },
  ],
  [
    'windsurf',
    'pre_run_command',
    { trajectory_id: 't1', tool_info: { command_line: 'ls -l', cwd: '/repo' } },
    { session_id: 't1', cwd: '/repo', tool_name: 'Bash', tool_input: { command: 'ls -l' } },
  ],
  [
    'windsurf',
    'pre_mcp_tool_use',
    { trajectory_id: 't1', tool_info: { mcp_server_name: 'db', mcp_tool_name: 'drop', mcp_tool_arguments: { table: 'x' } } },
    { tool_name: 'mcp__db__drop', tool_input: { table: 'x' } },
  ],
  [
    'goose',
    'PreToolUse',
    {
      event: 'PreToolUse',
      session_id: 's',
      working_dir: '/repo',
      tool_name: 'developer__shell',
      tool_input: { command: 'ls' },
      tool_call_id: 'c',
    },
    { session_id: 's', cwd: '/repo', tool_name: 'Bash', tool_use_id: 'c' },
  ],
  [
    'cline',
    'PreToolUse',
    {
      taskId: 't',
      hookName: 'tool_call',
      workspaceRoots: ['/repo'],
      tool_call: { id: '1', name: 'write_to_file', input: { path: 'a.ts', content: 'x' } },
    },
    { session_id: 't', cwd: '/repo', tool_name: 'Write', tool_input: { file_path: 'a.ts', content: 'x' }, tool_use_id: '1' },
  ],
  [
    'opencode',
    'tool.execute.before',
    { session_id: 's', tool_name: 'edit', tool_input: { filePath: 'a', oldString: 'x', newString: 'y' } },
    { tool_name: 'Edit', tool_input: { file_path: 'a', old_string: 'x', new_string: 'y' } },
  ],
  [
    'cursor',
    'preToolUse',
    { conversation_id: 'c1', tool_name: 'MCP:query', tool_input: '{}' },
    { tool_name: 'mcp__cursor__query', tool_input: {} },
  ],
  [
    'cursor',
    'preToolUse',
    { conversation_id: 'c1', tool_name: 'MCP:query', tool_input: `{"a":${'['.repeat(64)}${']'.repeat(64)}}` },
    { tool_name: 'mcp__cursor__query', tool_input: `{"a":${'['.repeat(64)}${']'.repeat(64)}}` },
  ],
  [
    'goose',
    'PreToolUse',
    { session_id: 's', tool_name: 'github__create_issue', tool_input: {} },
    { tool_name: 'mcp__github__create_issue' },
  ],
  [
    'kiro',
    'PreToolUse',
    {
      cwd: '/repo',
      tool_name: 'fs_read',
      tool_input: {
        operations: [
          { mode: 'Line', path: 'a' },
          { mode: 'Search', path: 'b' },
        ],
      },
    },
    { session_id: 'kiro /repo', tool_name: 'Read', tool_input: { paths: ['a', 'b'] } },
  ],
  ['kiro', 'preToolUse', { cwd: '/repo', tool_name: '@db/query', tool_input: {} }, { tool_name: 'mcp__db__query' }],
  [
    'gemini',
    'BeforeTool',
    { session_id: 's', tool_name: 'mcp_a_b_c', tool_input: {}, mcp_context: { server_name: 'a_b', tool_name: 'c' } },
    { tool_name: 'mcp__a_b__c' },
  ],
]

test.each(documented)('%s %s', (id, event, raw, payload) => {
  expect(decodeEvent(agent(id), event, raw).payload).toMatchObject(payload)
})

test('an argument given under both names is left for the judge to see', () => {
  const raw = { session_id: 's', tool_name: 'edit', tool_input: { filePath: 'a', file_path: 'b' } }
  expect(decodeEvent(agent('opencode'), 'tool.execute.before', raw).payload.tool_input).toEqual({ filePath: 'a', file_path: 'b' })
})

test('an unknown event is carried through under its own name', () => {
  expect(decodeEvent(agent('claude-code'), 'SomethingNew', { session_id: 's' })).toMatchObject({
    event: 'SomethingNew',
    payload: { hook_event_name: 'SomethingNew' },
  })
})

/** A shell command that ended with 7, as the agents report it. */
const failures: readonly [agent: string, event: string, raw: Record<string, unknown>][] = [
  [
    'gemini',
    'AfterTool',
    {
      tool_name: 'run_shell_command',
      tool_response: { llmContent: 'Output: boom\nExit Code: 7\nProcess Group PGID: 1\n</untrusted_context>' },
    },
  ],
  ['gemini', 'AfterTool', { tool_name: 'read_file', tool_response: { llmContent: 'x', error: { message: 'exit code 7' } } }],
  [
    'qwen',
    'PostToolUse',
    {
      tool_name: 'run_shell_command',
      tool_response: { llmContent: 'Output: boom\nError: (none)\nExit Code: 7\nSignal: 0\nProcess Group PGID: 2' },
    },
  ],
  [
    'copilot',
    'PostToolUse',
    { tool_name: 'Bash', tool_result: { result_type: 'success', text_result_for_llm: 'boom\n<shellId: 0 completed with exit code 7>' } },
  ],
  ['copilot', 'postToolUse', { toolName: 'view', toolArgs: {}, toolResult: { resultType: 'failure', textResultForLlm: 'exit code 7' } }],
  ['pi', 'tool_result', { tool_name: 'bash', tool_response: 'x', error: 'exit code 7' }],
  ['cline', 'PostToolUse', { tool_result: { name: 'execute_command', input: {}, error: 'exit code 7' } }],
]

test.each(failures)('%s %s: a tool that failed is one, and is answered as the event that it was', (id, event, raw) => {
  const decoded = decodeEvent(agent(id), event, { tool_input: {}, ...raw })
  expect(decoded).toMatchObject({ event: 'PostToolUseFailure', answerEvent: 'PostToolUse', nativeEvent: event })
  expect(decoded.payload).toMatchObject({ hook_event_name: 'PostToolUseFailure', error: 'exit code 7' })
})

const fine: readonly [agent: string, raw: Record<string, unknown>][] = [
  ['gemini', { tool_name: 'run_shell_command', tool_response: { llmContent: 'Output: (empty)\nProcess Group PGID: 1\n' } }],
  ['gemini', { tool_name: 'read_file', tool_response: { llmContent: 'a log:\nExit Code: 7\n' } }],
  ['qwen', { tool_name: 'run_shell_command', tool_response: { llmContent: 'Output: x\nExit Code: 0\nSignal: 0\n' } }],
  [
    'copilot',
    {
      tool_name: 'Bash',
      tool_result: { result_type: 'success', text_result_for_llm: 'said exit code 7\n<shellId: 0 completed with exit code 0>' },
    },
  ],
  ['codex', { tool_name: 'Bash', tool_response: 'boom' }],
]

test.each(fine)('%s: nothing says that it failed: %j', (id, raw) => {
  expect(decodeEvent(agent(id), id === 'gemini' ? 'AfterTool' : 'PostToolUse', { tool_input: {}, ...raw }).event).toBe('PostToolUse')
})

test.each([
  ['gh_delete', ['mcp__gh__delete']],
  ['mcp_a_b_c', ['mcp__a__b_c', 'mcp__a_b__c']],
  ['gh-server/delete', ['mcp__gh__server/delete', 'mcp__gh-server__delete']],
  ['bash', []],
])('%s may be %j', (name, names) => {
  expect(joinedMcpNames(name)).toEqual(names)
})
