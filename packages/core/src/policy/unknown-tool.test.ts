import { describe, expect, test } from 'vitest'
import { toolFields } from '../match/tool/tool-fields.ts'
import { decideBatchLine } from './decide-batch.ts'
import { COMMAND_FIELDS, fill, type Input, PATH_FIELDS, TOOLS } from './fixtures/unknown-tools.ts'

function decide(tool: string, input: Input, rules: { deny?: string[]; ask?: string[] }, byDefault = 'none'): string {
  const line = JSON.stringify({ id: 1, tool, input, allow: ['*'], deny: [], default: byDefault, ctx: { root: '/repo' }, ...rules })
  return (JSON.parse(decideBatchLine(line)) as { decision: string }).decision
}

describe('a command in any field of any tool', () => {
  test.each(TOOLS)('%s', tool => {
    for (const each of COMMAND_FIELDS) {
      const { field } = each
      for (const command of ['rm -rf src', 'cd a && rm -rf b']) {
        if (command.includes('&&') && each.oneCommand === true) continue
        for (const byDefault of ['none', 'ask']) {
          const decision = decide(tool, fill(each, command), { deny: ['Bash(rm -rf *)'] }, byDefault)
          expect({ field, command, decision }).not.toMatchObject({ decision: 'allow' })
        }
      }
      expect({ field, decision: decide(tool, fill(each, 'git push -f origin'), { ask: ['Bash(git push *)'] }) }).toMatchObject({
        decision: 'ask',
      })
    }
  })
})

const URI = { field: 'uri', input: { uri: 'file:///repo/.env' } }

describe('a path in any field of any tool', () => {
  test.each(TOOLS)('%s', tool => {
    for (const each of [...PATH_FIELDS, URI]) {
      const { field } = each
      const rules = { deny: ['Read(.env*)', 'Write(.env*)'] }
      expect({ field, decision: decide(tool, fill(each, '.env'), rules) }).not.toMatchObject({ decision: 'allow' })
    }
  })
})

describe('behind what nobody reads to its end', () => {
  const many = (length: number) => Array.from({ length }, (_, at) => `src/${at}.ts`)
  const deny = ['Bash(rm -rf *)', 'Read(.env*)']
  test.each<[string, Input, string]>([
    ['a command after 300 files', { files: many(300), command: 'rm -rf src' }, 'deny'],
    ['a file after 300 others', { paths: [...many(300), '.env'] }, 'ask'],
    ['a command after more than anybody reads', { files: many(3000), command: 'rm -rf src' }, 'ask'],
    ['a command below more than anybody reads', { rows: many(30_000).map(name => ({ name })), command: 'rm -rf src' }, 'ask'],
    ['300 files', { files: many(300), command: 'ls' }, 'allow'],
  ])('%s', (_what, input, decision) => {
    expect(decide('mcp__box__run', input, { deny })).toBe(decision)
  })
  test('what contains itself', () => {
    const input: Input = { command: 'ls' }
    input.self = input
    expect(toolFields('mcp__box__run', input).problems).toEqual(['the call holds more than can be read'])
  })
})

test('maps and sets, which only programs in TypeScript hand over', () => {
  const { fields } = toolFields('box', { given: new Map([['command', 'rm -rf src']]), files: new Set(['.env']) })
  expect(fields.filter(field => !('likely' in field))).toMatchObject([
    { kind: 'command', text: 'rm -rf src' },
    { kind: 'path', text: '.env', access: 'read' },
    { kind: 'path', text: '.env', access: 'write' },
  ])
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
    ['mcp__notes__add', { content: '{"command": "rm -rf src"}' }],
    ['mcp__http__post', { body: '{"command": "rm -rf src"}' }],
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

describe('tools that start agents by what they are called', () => {
  test.each([
    ...['dispatch_agent', 'new_task', 'runSubAgent', 'sub-agent-explore', 'delegate', 'delegate_task', 'mcp__swarm__agent_spawn'],
    ...['mcp__codex__start-agent', 'launch_task', 'browser_subagent', 'subagent__execute_task', 'handoff', 'create_subagents'],
  ])('%s', tool => {
    expect(decide(tool, { prompt: 'x' }, { deny: ['Task(*)'] })).toBe('deny')
    expect(decide(tool, { prompt: 'x' }, { ask: ['Task(*)'] })).toBe('ask')
    expect(decide(tool, { worker: 'executor', prompt: 'x' }, { deny: ['Task(executor)'] })).toBe('deny')
    expect(decide(tool, { worker: 'reviewer', prompt: 'x' }, { deny: ['Task(executor)'] })).toBe('allow')
    expect(decide(tool, { agent: { name: 'x' } }, {}, 'ask')).toBe('allow')
  })
  test.each([
    ...['list_agents', 'get_agent', 'wait_agent', 'close_agent', 'mcp__browser__set_user_agent', 'create_task', 'TaskCreate', 'task_list'],
    ...['mcp__agents__get_weather', 'update_subagent', 'agency', 'newTasks'],
  ])('%s starts none', tool => {
    expect(decide(tool, { prompt: 'x' }, { deny: ['Task(*)'] })).toBe('allow')
  })
})

describe('a script that launches agents', () => {
  const script = "export const meta = { name: 'x' }\nawait agent('do it', { agentType: 'executor' })\nawait agent('rm -rf the old text')"
  test.each<[Input]>([[{ script }], [{ source: { type: 'script', script } }]])('%j', input => {
    expect(decide('Workflow', input, { deny: ['Task(*)'] })).toBe('deny')
    expect(decide('Workflow', input, { deny: ['Task(executor)'] })).toBe('deny')
    expect(decide('Workflow', input, { deny: ['Task(reviewer)'] })).toBe('allow')
    expect(decide('Task', { prompt: 'x' }, { deny: ['Workflow'] })).toBe('allow')
    expect(decide('Workflow', input, { deny: ['Workflow'] })).toBe('deny')
  })
  test('one by its name', () => {
    expect(decide('Workflow', { name: 'review' }, { deny: ['Task(*)'] })).toBe('deny')
    expect(decide('Workflow', { name: 'review' }, { deny: ['Bash(rm *)'] })).toBe('allow')
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
