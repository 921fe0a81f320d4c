import { describe, expect, test } from 'vitest'
import { parseRule } from './parse-rule.ts'
import type { RuleDialect, RuleEffect, RuleSpec } from './rule.ts'

function parsed(
  text: string,
  dialect: RuleDialect = 'genesis',
  effect: RuleEffect = 'deny',
): { tools: readonly string[]; spec: RuleSpec | null } {
  const result = parseRule(text, { effect, dialect })
  if (!result.ok) throw new Error(result.problem.message)
  return { tools: result.rule.tools, spec: result.rule.spec }
}

const command = (pattern: string): RuleSpec => ({ kind: 'command', pattern })

describe('tools and arguments', () => {
  test.each<[string, string[], RuleSpec | null]>([
    ['Bash', ['Bash'], null],
    ['Bash(*)', ['Bash'], null],
    ['*', ['*'], null],
    ['Write|Edit', ['Write', 'Edit'], null],
    ['Write|Edit(src/*)', ['Write', 'Edit'], { kind: 'path', anchor: 'root', pattern: 'src/*' }],
    ['mcp__fs__write-file(*)', ['mcp__fs__write-file'], null],
    ['mcp__github__get_*', ['mcp__github__get_*'], null],
    ['a.b:c/d-e_f', ['a.b:c/d-e_f'], null],
    ['Bash(git *)', ['Bash'], command('git *')],
    ['Bash(git:*)', ['Bash'], command('git *')],
    ['Bash(npm run test:unit)', ['Bash'], command('npm run test:unit')],
    ['Bash(run_in_background:true)', ['Bash'], { kind: 'parameter', name: 'run_in_background', pattern: 'true' }],
    ['Bash(echo ")")', ['Bash'], command('echo ")"')],
    ['Read(**)', ['Read'], null],
    ['Read(.env*)', ['Read'], { kind: 'path', anchor: 'name', pattern: '.env*' }],
    ['Read(~/.ssh/*)', ['Read'], { kind: 'path', anchor: 'home', pattern: '.ssh/*' }],
    ['Write(/tmp/*)', ['Write'], { kind: 'path', anchor: 'absolute', pattern: 'tmp/*' }],
    ['WebFetch(domain:*.example.org)', ['WebFetch'], { kind: 'domain', pattern: '*.example.org' }],
    ['Task(executor)', ['Task'], { kind: 'text', pattern: 'executor' }],
    ['Agent(model:opus)', ['Agent'], { kind: 'parameter', name: 'model', pattern: 'opus' }],
    ['Skill(plugin:skill)', ['Skill'], { kind: 'text', pattern: 'plugin:skill' }],
  ])('%s', (text, tools, spec) => {
    expect(parsed(text)).toEqual({ tools, spec })
  })
})

describe('dialects', () => {
  test.each<[RuleDialect, string, string[], RuleSpec | null]>([
    ['claude', 'Bash(git -C :* status:*)', ['Bash'], command('git -C :\\* status *')],
    ['claude', 'Edit(/docs/**)', ['Edit'], { kind: 'path', anchor: 'root', pattern: 'docs/**' }],
    ['claude', 'Edit(//etc/**)', ['Edit'], { kind: 'path', anchor: 'absolute', pattern: 'etc/**' }],
    ['opencode', 'bash :: git *', ['Bash'], command('git *')],
    ['opencode', 'edit', ['Edit', 'Write'], null],
    ['opencode', 'webfetch :: *', ['WebFetch'], null],
    ['gemini', 'run_shell_command(git status)', ['Bash'], command('git status *')],
    ['gemini', 'ShellTool(npm *)', ['Bash'], command('npm *')],
    ['gemini', 'write_file', ['Write'], null],
    ['factory', 'rm -rf /', ['Bash'], command('rm -rf / *')],
    ['factory', 'npm:*', ['Bash'], command('npm *')],
    ['cursor', 'Shell(git)', ['Bash'], command('git *')],
    ['cursor', 'Shell(npm:install*)', ['Bash'], command('npm install*')],
    ['cursor', 'Mcp(github:*)', ['mcp__github__*'], null],
    ['cursor', 'Read(src/**)', ['Read'], { kind: 'path', anchor: 'root', pattern: 'src/**' }],
  ])('%s: %s', (dialect, text, tools, spec) => {
    expect(parsed(text, dialect)).toEqual({ tools, spec })
  })

  test('a command that Factory allows is allowed as it is written', () => {
    expect(parsed('git status', 'factory', 'allow').spec).toEqual(command('git status'))
  })
})

describe('a rule that does not parse names its place and the remedy', () => {
  test.each([
    ['', 1, 'the rule names no tool'],
    ['Bash(git *', 11, '"Bash(git *" has no closing parenthesis'],
    ['Bash()', 5, 'Bash() has an empty argument'],
    ['My Tool', 1, '"My Tool" is not a tool name'],
    ['Write|', 1, 'the rule names no tool'],
    ['Edit:*', 5, '":*" stands outside parentheses in "Edit:*"'],
    ['Bash(a) Bash(b)', 9, 'several rules stand on one line'],
    ['WebFetch(domain:https://x.io)', 10, '"https://x.io" is not a domain; write a host such as example.com or *.example.com'],
    ['Read(../x)', 6, '"../x" leads outside its anchor, where it could never match; write an absolute path'],
  ])('%j', (text, column, message) => {
    const result = parseRule(text, { effect: 'deny', dialect: 'genesis', place: { file: 'genesis.key', line: 7, column: 1 } })
    expect(result).toMatchObject({ ok: false, problem: { severity: 'error', message, place: { file: 'genesis.key', line: 7, column } } })
    expect(result.ok ? '' : result.problem.remedy).not.toBe(undefined)
  })
})

test('the source gives id, place and message', () => {
  const place = { file: 'genesis.key', line: 3, column: 9 }
  const result = parseRule('Bash', { effect: 'deny', dialect: 'genesis', place, message: 'not you' })
  expect(result).toEqual({
    ok: true,
    rule: { id: 'deny-3-9', effect: 'deny', text: 'Bash', dialect: 'genesis', tools: ['Bash'], spec: null, place, message: 'not you' },
  })
})
