import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readTranscripts } from './read-transcripts.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'belay-learn-'))
})
afterEach(() => rmSync(home, { recursive: true }))

function write(path: string, lines: readonly unknown[]): void {
  const file = join(home, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, `${lines.map(line => JSON.stringify(line)).join('\n')}\n{"cut`)
}

test('calls of Claude Code and Codex that ran are used, those that a person refused are refused, those of other projects nothing', async () => {
  const use = (id: string, command: string) => ({
    type: 'assistant',
    cwd: '/repo',
    timestamp: '2026-05-01T00:00:00Z',
    message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }] },
  })
  const end = (id: string, more: object = {}) => ({
    type: 'user',
    cwd: '/repo',
    timestamp: '2026-05-01T00:00:01Z',
    message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'ok', ...more }] },
  })
  write('.claude/projects/-repo/a.jsonl', [
    use('1', 'ls'),
    end('1'),
    use('2', 'git push'),
    end('2', { is_error: true, content: "The user doesn't want to proceed with this tool use." }),
    use('3', 'make'),
    end('3', { is_error: true, content: 'Exit code 2\nmake: the patch was rejected by user' }),
    use('4', 'never ended'),
  ])
  write('.claude/projects/-other/b.jsonl', [
    { ...use('5', 'other'), cwd: '/other' },
    { ...end('5'), cwd: '/other' },
  ])
  write('.codex/sessions/2026/05/01/c.jsonl', [
    { type: 'session_meta', payload: { cwd: '/repo' } },
    {
      type: 'response_item',
      payload: {
        type: 'function_call',
        call_id: 'x',
        name: 'shell',
        arguments: JSON.stringify({ command: ['bash', '-lc', 'cargo test'] }),
      },
    },
    {
      type: 'response_item',
      payload: { type: 'function_call_output', call_id: 'x', output: 'Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n' },
    },
  ])
  const { used, refused } = await readTranscripts({ userHome: home, project: '/repo', since: '2026-01-01T00:00:00Z' })
  expect([...used.values()].map(({ call, actor }) => [actor, call.input.command])).toEqual([
    ['agent:claude-code', 'ls'],
    ['agent:claude-code', 'make'],
    ['agent:codex', 'cargo test'],
  ])
  expect([...refused.values()].map(({ call }) => call.input.command)).toEqual(['git push'])
  const later = await readTranscripts({ userHome: home, project: '/repo', since: '2027-01-01T00:00:00Z' })
  expect([...later.used.values()].map(({ actor }) => actor)).toEqual(['agent:codex'])
})

const ended = {
  'claude-code': (output: string) => [
    { cwd: '/repo', message: { content: [{ type: 'tool_use', id: '1', name: 'Bash', input: { command: 'make' } }] } },
    { cwd: '/repo', message: { content: [{ type: 'tool_result', tool_use_id: '1', is_error: true, content: output }] } },
  ],
  codex: (output: string) => [
    { type: 'session_meta', payload: { cwd: '/repo' } },
    { payload: { type: 'function_call', call_id: '1', name: 'exec_command', arguments: '{"cmd": "make"}' } },
    { payload: { type: 'function_call_output', call_id: '1', output } },
  ],
}

test.each([
  ['claude-code', 'refused', 'PreToolUse:Bash hook error: Tool denied: no'],
  ['claude-code', 'refused', "Claude requested permissions to use Bash, but you haven't granted it yet."],
  ['claude-code', 'refused', 'Blocked by hook'],
  ['claude-code', 'used', 'Exit code 1\nhook error: of the program'],
  ['claude-code', 'unclear', '<tool_use_error>InputValidationError</tool_use_error>'],
  ['codex', 'refused', 'Command blocked by PreToolUse hook: no. Command: make'],
  ['codex', 'refused', 'exec command rejected by user'],
  ['codex', 'used', 'Chunk ID: a\nWall time: 0.0 seconds\nProcess exited with code 7\nOutput:\nrejected by user'],
  ['codex', 'used', `{"output":"${'x'.repeat(900)}","metadata":{"exit_code":0,"duration_seconds":0.1}}`],
  ['codex', 'unclear', 'unsupported call'],
] as const)('%s: %s where the agent says %j', async (agent, outcome, output) => {
  write(agent === 'codex' ? '.codex/sessions/a.jsonl' : '.claude/projects/a/a.jsonl', ended[agent](output))
  const { used, refused } = await readTranscripts({ userHome: home, project: '/repo', since: null })
  expect([used.size, refused.size]).toEqual([outcome === 'used' ? 1 : 0, outcome === 'refused' ? 1 : 0])
})

test('no transcripts are no evidence', async () => {
  expect((await readTranscripts({ userHome: home, project: '/repo', since: null })).used.size).toBe(0)
})
