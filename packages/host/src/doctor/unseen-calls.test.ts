// Lines as the real agents write them.
import { expect, test } from 'vitest'
import { findUnseen, readTranscript, type SeenCall } from './unseen-calls.ts'

const seen = (agent: string, id: string | null, tool = 'Bash', rawTool: string | null = null): SeenCall => ({ agent, id, tool, rawTool })

const transcripts: readonly [agent: string, line: unknown, SeenCall][] = [
  [
    'claude-code',
    { sessionId: 's', message: { content: [{ type: 'tool_use', id: 'c', name: 'Bash', input: { command: 'ls' } }] } },
    seen('claude-code', 'c'),
  ],
  [
    'codex',
    { type: 'response_item', payload: { type: 'function_call', name: 'exec_command', call_id: 'c', arguments: '{}' } },
    seen('codex', 'c'),
  ],
  [
    'gemini',
    { id: 'm', type: 'gemini', toolCalls: [{ id: 'c', name: 'run_shell_command', args: {}, result: [{ functionResponse: { id: 'c' } }] }] },
    seen('gemini', null, 'Bash', 'run_shell_command'),
  ],
  [
    'qwen',
    { sessionId: 's', message: { role: 'model', parts: [{ functionCall: { id: 'c', name: 'run_shell_command', args: {} } }] } },
    seen('qwen', 'another', 'Bash', 'run_shell_command'),
  ],
  ['copilot', { type: 'tool.execution_start', data: { toolCallId: 'c', toolName: 'bash', arguments: {} } }, seen('copilot', null)],
  ['pi', { type: 'message', message: { content: [{ type: 'toolCall', id: 'c', name: 'bash', arguments: {} }] } }, seen('pi', 'c')],
]

test.each(transcripts)('%s: a call that was seen, one that was not', (_agent, line, call) => {
  const { calls } = readTranscript(`${JSON.stringify(line)}\nnot json\n`)
  expect(calls).toEqual([{ id: 'c', tool: expect.any(String), line: 1 }])
  expect(findUnseen(calls, [call])).toEqual([])
  expect(findUnseen(calls, [])).toEqual(calls)
  expect(findUnseen([...calls, { id: 'd', tool: calls[0]?.tool ?? '', line: 2 }], [call])).toHaveLength(1)
  expect(findUnseen(calls, [{ ...call, id: null, tool: 'Read', rawTool: 'read_file' }])).toEqual(calls)
})

test('code that Codex runs is no call; a patch is one', () => {
  const items = [
    { type: 'custom_tool_call', name: 'exec', call_id: 'c1', input: 'await tools.exec_command({ cmd: "ls" })' },
    { type: 'function_call', name: 'wait', call_id: 'c2', arguments: '{}' },
    { type: 'custom_tool_call', name: 'apply_patch', call_id: 'c3', input: '*** Begin Patch' },
  ]
  const { calls } = readTranscript(items.map(payload => JSON.stringify({ type: 'response_item', payload })).join('\n'))
  expect(calls).toEqual([{ id: 'c3', tool: 'apply_patch', line: 3 }])
})

test('what was typed into a running command of Codex, for which it calls no hook, is unseen and named', () => {
  const items = [
    { type: 'function_call', name: 'exec_command', call_id: 'c1', arguments: '{"cmd":"cat","tty":true}' },
    { type: 'function_call', name: 'write_stdin', call_id: 'c2', arguments: '{"session_id":1,"chars":"rm -rf src\\n"}' },
  ]
  const { calls } = readTranscript(items.map(payload => JSON.stringify({ type: 'response_item', payload })).join('\n'))
  expect(findUnseen(calls, [seen('codex', 'c1')])).toEqual([{ id: 'c2', tool: 'write_stdin', line: 2 }])
})

test.each([
  [{ sessionId: 's1' }, ['s1']],
  [{ type: 'session.start', data: { sessionId: 's2' } }, ['s2']],
  [{ type: 'session_meta', payload: { id: 's3' } }, ['s3']],
  [{ input: { sessionId: 'of a tool' } }, []],
])('%j is of %j', (line, sessions) => {
  expect(readTranscript(JSON.stringify(line)).sessions).toEqual(sessions)
})
