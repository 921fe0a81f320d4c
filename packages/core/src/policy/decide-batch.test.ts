import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

function decide(request: unknown): unknown {
  return JSON.parse(decideBatchLine(typeof request === 'string' ? request : JSON.stringify(request)))
}

const call = { id: 'x', tool: 'Bash', input: { command: 'git push' } }

test('an answer names the rule and the unit', () => {
  expect(decide({ ...call, allow: ['Bash(git *)'], deny: ['Bash(git push *)'] })).toEqual({
    id: 'x',
    decision: 'deny',
    rule: 'Bash(git push *)',
    unit: 'git push',
    reason:
      '"git push" is forbidden by the rule Bash(git push *) (deny:1:1). Reach the goal another way, or tell the person that this step is theirs.',
  })
})

test.each([
  [{ ...call, allow: ['Bash(git *)'] }, 'allow', 'Bash(git *)'],
  [{ ...call, allow: ['Bash(git *)'], ask: ['Bash(git push *)'] }, 'ask', 'Bash(git push *)'],
  [call, 'ask', null],
  [{ ...call, allow: null, deny: null }, 'ask', null],
])('%j: %s', (request, decision, rule) => {
  expect(decide(request)).toMatchObject({ id: 'x', decision, rule })
})

test.each([
  ['{', 'this line is not a JSON object'],
  ['[]', 'this line is not a JSON object'],
  ['null', 'this line is not a JSON object'],
])('%s is denied without an id', (line, error) => {
  expect(decide(line)).toEqual({ id: null, decision: 'deny', error })
})

describe('what is wrong with a request is a deny with the error', () => {
  test.each([
    [{ id: 1, input: {} }, '"tool" must be the name of a tool'],
    [{ id: 1, tool: 'Bash' }, '"input" must be an object'],
    [{ id: 1, tool: 'Bash', input: {}, allow: 'Bash' }, '"allow" must be a list of rules'],
    [{ id: 1, tool: 'Bash', input: {}, allow: [1] }, '"allow" rule 1 is not text'],
    [{ id: 1, tool: 'Bash', input: {}, deny: ['Bash', 'Bash(x'] }, 'deny:2:7: "Bash(x" has no closing parenthesis; end the rule with )'],
    [{ id: 1, tool: 'Bash', input: {}, ctx: [] }, '"ctx" must be an object'],
    [{ id: 1, tool: 'Bash', input: {}, ctx: { root: 'repo' } }, 'ctx.root must be an absolute path'],
    [{ id: 1, tool: 'Bash', input: {}, ctx: { links: [] } }, 'ctx.links must be an object of path: target'],
    [{ id: 1, tool: 'Bash', input: {}, ctx: { platform: 3 } }, 'ctx.platform must be text'],
    [
      { id: 1, tool: 'Bash', input: {}, ctx: { rot: '/x' } },
      'ctx.rot is not known; known are root, cwd, home, links, hardlinks, caseInsensitiveFs, platform',
    ],
  ])('%j', (request, error) => {
    expect(decide(request)).toEqual({ id: 1, decision: 'deny', error })
  })
})

describe('"default" stands in for what no rule covers', () => {
  const some = { ...call, allow: [], deny: ['Bash(rm -rf *)'] }
  test.each([
    ['ask', 'ask'],
    ['none', 'allow'],
    ['deny', 'deny'],
    ['allow', 'allow'],
  ])('%s: %s', (byDefault, decision) => {
    expect(decide({ ...some, default: byDefault })).toMatchObject({ decision, rule: null })
    expect(decide({ ...some, input: { command: 'rm -rf x' }, default: byDefault })).toMatchObject({ decision: 'deny' })
    expect(decide({ ...some, input: { command: '$x -rf x' }, default: byDefault })).toMatchObject({ decision: 'ask' })
  })

  test('anything else is an error', () => {
    expect(decide({ ...some, default: 'yes' })).toMatchObject({ decision: 'deny', error: '"default" must be ask, none, deny or allow' })
  })
})

test.each([
  ['curl x | sh', 'sh runs code from a pipe'],
  ['$x', 'the command is only known at run time'],
  ['eval "$x"', 'eval runs code that is only known at run time'],
])('code that nobody can read names no rule: %s', (command, reason) => {
  const asked = decide({ id: 1, tool: 'Bash', input: { command }, allow: ['Bash(*)'], deny: ['Bash(rm -rf *)'], default: 'none' })
  expect(asked).toMatchObject({ decision: 'ask', rule: null, reason })
})

test.each([
  [{ '/repo/src/l': '../.env' }, 'src/l'],
  [{ 'src/l': '../.env' }, 'src/l'],
  [{ '/repo/src/l': './deep/../../.env' }, 'src/l'],
  [{ '/repo/src/up': '..' }, 'src/up/.env'],
  [{ '/repo/a': 'b', '/repo/b': '.env' }, 'a'],
  [{ '/repo/src/a': 'b', '/repo/src/b': '../.env' }, 'src/a'],
])('a relative target starts in the folder of its link: %j', (links, path) => {
  const read = { id: 1, tool: 'Read', input: { file_path: path }, allow: ['Read(*)'], deny: ['Read(/repo/.env)'], ctx: { links } }
  expect(decide(read)).toMatchObject({ decision: 'deny' })
})

test('the context moves root, cwd and home', () => {
  const write = { id: 1, tool: 'Write', input: { file_path: 'a.ts' }, allow: ['Write(src/*)'], deny: ['Write(~/.ssh/*)'] }
  expect(decide({ ...write, ctx: { root: '/w', cwd: '/w/src' } })).toMatchObject({ decision: 'allow' })
  expect(decide({ ...write, ctx: { root: '/w', cwd: '/h/.ssh', home: '/h' } })).toMatchObject({ decision: 'deny' })
})
