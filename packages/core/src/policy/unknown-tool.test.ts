import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

/** Names of real agents' and MCP servers' tools, none of which has a description here. */
const TOOLS = [
  ...[
    'run_in_sandbox',
    'exec-command',
    'runCommand',
    'ShellTool',
    'bash_20250124',
    'cli-mcp-server_run',
    'mcp__desktop-commander__start_process',
  ],
  ...['mcp__desktop-commander__interact_with_process', 'mcp__shell__shell_execute', 'mcp__terminal__send', 'mcp__iterm__write_to_terminal'],
  ...['mcp__ssh__exec', 'mcp__docker__container_exec', 'mcp__tmux__execute-command', 'mcp__windows-cli__execute_command', 'process_start'],
  ...[
    'mcp__e2b__run_code',
    'mcp__jupyter__execute_cell',
    'code_interpreter',
    'python',
    'ipython',
    'run_python',
    'evaluate_script',
    'sandbox',
  ],
  ...[
    'mcp__filesystem__open',
    'mcp__filesystem__edit_file',
    'mcp__git__git_diff',
    'mcp__sqlite__read_query',
    'mcp__postgres__query',
    'do_task',
  ],
  ...[
    'functions.shell_call',
    'computer_use',
    'task_runner',
    'background_task',
    'create_worker',
    'makefile',
    'npm',
    'devcontainer',
    'schedule',
  ],
  ...[
    'mcp__cron__add_job',
    'mcp__kubernetes__kubectl',
    'mcp__playwright__browser_evaluate',
    'batch',
    'multi_tool_use.parallel',
    'tool',
    'x',
  ],
  ...['agent_action', 'mcp__n8n__workflow', 'mcp__zapier__action', 'mcp__puppeteer__evaluate', 'mcp__memory__store', 'remote', 'dispatch'],
]

type Input = Record<string, unknown>
type Wrap = (text: string) => Input

const COMMAND_FIELDS: readonly (readonly [string, Wrap])[] = [
  ...[
    'command',
    'cmd',
    'CommandLine',
    'command_line',
    'shell_command',
    'bashCommand',
    'script',
    'code',
    'snippet',
    'bash',
    'exec',
    'input',
  ].map(name => [name, text => ({ [name]: text })] as readonly [string, Wrap]),
  ['commands[]', text => ({ commands: ['ls', text] })],
  ['argv', text => ({ argv: text.split(' ') })],
  ['command and args', text => ({ command: text.split(' ')[0], args: text.split(' ').slice(1) })],
  ['params.command', text => ({ params: { command: text } })],
  ['steps[].run.cmd', text => ({ steps: [{ run: { cmd: text } }] })],
  ['arguments.script', text => ({ name: 'x', arguments: { script: text } })],
]
const PATH_FIELDS: readonly (readonly [string, Wrap])[] = [
  ...['path', 'file_path', 'filePath', 'AbsolutePath', 'TargetFile', 'filename', 'notebook_path', 'source', 'destination', 'file'].map(
    name => [name, text => ({ [name]: text })] as readonly [string, Wrap],
  ),
  ['paths[]', text => ({ paths: ['a.ts', text] })],
  ['files[].path', text => ({ files: [{ path: text }] })],
  ['uri', text => ({ uri: `file:///repo/${text}` })],
]

function decide(tool: string, input: Input, rules: { deny?: string[]; ask?: string[] }, byDefault = 'none'): string {
  const line = JSON.stringify({ id: 1, tool, input, allow: ['*'], deny: [], default: byDefault, ctx: { root: '/repo' }, ...rules })
  return (JSON.parse(decideBatchLine(line)) as { decision: string }).decision
}

describe('a command in any field of any tool', () => {
  test.each(TOOLS)('%s', tool => {
    for (const [field, wrap] of COMMAND_FIELDS) {
      for (const command of ['rm -rf src', 'cd a && rm -rf b']) {
        if (command.includes('&&') && (field === 'argv' || field === 'command and args')) continue
        for (const byDefault of ['none', 'ask']) {
          const decision = decide(tool, wrap(command), { deny: ['Bash(rm -rf *)'] }, byDefault)
          expect({ field, command, decision }).not.toMatchObject({ decision: 'allow' })
        }
      }
      expect({ field, decision: decide(tool, wrap('git push origin'), { ask: ['Bash(git push *)'] }) }).toMatchObject({ decision: 'ask' })
    }
  })
})

describe('a path in any field of any tool', () => {
  test.each(TOOLS)('%s', tool => {
    for (const [field, wrap] of PATH_FIELDS) {
      const rules = { deny: ['Read(.env*)', 'Write(.env*)'] }
      expect({ field, decision: decide(tool, wrap('.env'), rules) }).not.toMatchObject({ decision: 'allow' })
    }
  })
})

describe('texts that only speak of a command', () => {
  test.each<[string, Input]>([
    ['mcp__slack__post_message', { channel: 'dev', text: 'never run rm -rf src' }],
    ['mcp__github__create_issue', { title: 'rm -rf src is dangerous', body: 'rm -rf src' }],
    ['mcp__search__web', { query: 'what does rm -rf src do' }],
    ['mcp__linear__comment', { issue: 'X-1', comment: 'rm -rf src', description: 'rm -rf src' }],
    ['run_check', { command: 'ls', description: 'instead of rm -rf src' }],
    ['mcp__notes__add', { content: 'rm -rf src' }],
    ['mcp__postgres__query', { sql: "SELECT * FROM log WHERE line LIKE '%rm -rf src%' AND (a = 1" }],
    ['mcp__e2b__run_code', { code: 'const a = [1, 2].map(x => x * 2); (' }],
    ['mcp__e2b__run_code', { code: 'def f(x):\n  return (x' }],
    ['mcp__geo__find', { country_code: 'DE', query: "l'eau (" }],
  ])('%s %j', (tool, input) => {
    expect(decide(tool, input, { deny: ['Bash(rm -rf *)'] })).toBe('allow')
  })
})

describe('agents that are launched', () => {
  test.each(['Task', 'Agent', 'agent', 'spawn_agent', 'collaborationspawn_agent', 'invoke_agent', 'use_subagent'])('%s', tool => {
    expect(decide(tool, { prompt: 'x' }, { deny: ['Task(*)'] })).toBe('deny')
    expect(decide(tool, { prompt: 'x' }, { deny: ['Task(executor)'] })).toBe('allow')
    expect(decide(tool, { prompt: 'x', agent: 'executor' }, { deny: ['Task(executor)'] })).toBe('deny')
  })
})

test.each(['read_bash', 'stop_bash'])('%s carries no command', tool => {
  expect(decide(tool, { shellId: '1' }, { deny: ['Bash(rm -rf *)'] })).toBe('allow')
})

test('the file pattern of a search', () => {
  expect(decide('grep_search', { pattern: 'x', include_pattern: '.env' }, { deny: ['Read(.env)'] })).toBe('deny')
})

test.each(['mentu_approve', 'mcp__belay__mentu_approve', 'mcp__mentu__mentu_link'])('%s, a verb of ours, names no file', tool => {
  const input = { target: 'cmt_1', source: 'mem_1', text: 'done' }
  expect(decide(tool, input, { deny: ['Write(*)', 'Read(*)', 'Bash(*)'] })).toBe('allow')
  expect(decide('mcp__other__mentu_approve', input, { deny: ['Write(*)'] })).toBe('ask')
})
