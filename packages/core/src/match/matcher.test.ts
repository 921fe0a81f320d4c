import { describe, expect, it } from 'vitest'
import type { MatcherDialect } from '../hook/hook-definition.ts'
import { compileMatcher } from './matcher.ts'
import type { MatchInput } from './matcher-rule.ts'

type Row = readonly [text: string, matches: readonly string[], misses: readonly string[], event?: string]

const TABLE: Partial<Record<MatcherDialect, readonly Row[]>> = {
  genesis: [
    ['*', ['Bash', 'mcp__x__y', ''], []],
    ['Bash', ['Bash'], ['bash', 'BashOutput', 'Bas']],
    ['Write|Edit', ['Write', 'Edit'], ['MultiEdit', 'Write|Edit']],
    [' Write | Edit ', ['Write', 'Edit'], ['Read']],
    ['mcp__fs__*', ['mcp__fs__read', 'mcp__fs__'], ['mcp__fs', 'xmcp__fs__read']],
    ['Edi?', ['Edit'], ['Edi', 'Edits']],
    ['Write|mcp__*', ['Write', 'mcp__a__b'], ['Read']],
    ['mcp__fs__write-file', ['mcp__fs__write-file'], ['mcp__fs__write']],
    ['A.B', ['A.B'], ['AxB']],
  ],
  library: [['Bash|Read', ['Bash', 'Read'], ['Write']]],
  toml: [
    ['', ['anything'], []],
    ['*', ['anything'], []],
    ['Write', ['Write'], ['WriteFile']],
    ['Bash*', ['Bash', 'BashExec'], ['xBash']],
    ['Write|Read|Edit', ['Write', 'Edit'], ['WriteX', 'Write|Read|Edit']],
    ['^Bash.*', ['Bash', 'BashExec'], ['xBash']],
    ['a.*z', ['xa-zy'], ['za']],
    ['^(Write|Edit)$', ['Write', 'Edit'], ['MultiEdit', 'Writes']],
    ['Write|Bash*', ['Write', 'Bash', 'BashExec'], ['WriteFile']],
    ['Write|', ['Write'], ['', 'Edit']],
  ],
  claude: [
    ['', ['anything'], []],
    ['*', ['anything'], []],
    ['Write|Edit', ['Write', 'Edit'], ['MultiEdit']],
    ['Write, Bash', ['Write', 'Bash'], ['Write, Bash']],
    ['Write|', ['Write'], ['Bash', '']],
    ['mcp__demo', ['mcp__demo'], ['mcp__demo__tool']],
    ['mcp__.*', ['mcp__demo__tool'], ['Bash']],
    ['^Ba', ['Bash'], ['xBash']],
    ['Bas.', ['Bash'], ['Bas']],
    ['Bash*', ['Bas', 'Bash', 'MyBasket'], ['Ba']],
    ['Bash(touch *)', ['Bashtouch '], ['Bash']],
    ['tool == "Edit" || tool == "Write"', ['Bash', 'anything'], []],
    ['\\Ash$', ['xAsh'], ['sh']],
    ['.env|.envrc', ['.envrc', 'x.env'], ['Bash'], 'FileChanged'],
    ['a-b', ['xa-b'], ['ab'], 'StopFailure'],
    ['a-b', ['a-b'], ['xa-b'], 'PreToolUse'],
  ],
  codex: [
    ['', ['anything'], []],
    ['Bash|apply_patch', ['Bash', 'apply_patch'], ['Bashx']],
    ['a-b', ['xa-by'], ['ab']],
    ['(?i)bash', ['Bash'], ['sh']],
  ],
  gemini: [
    ['*', ['anything'], []],
    ['write_file|replace', ['write_file', 'my_replace'], ['read_file'], 'BeforeTool'],
    ['[', ['['], ['x'], 'BeforeTool'],
    ['startup', ['startup'], ['startup2'], 'SessionStart'],
  ],
  copilot: [
    ['*', ['anything'], []],
    ['bash|view', ['bash', 'view'], ['bashful', 'preview']],
  ],
}

describe.each(Object.entries(TABLE))('%s matcher', (dialect, rows) => {
  it.each(rows.map(row => ({ row, text: row[0] })))('$text', ({ row: [text, matches, misses, event] }) => {
    const matcher = compileMatcher({ dialect: dialect as MatcherDialect, text }, event === undefined ? {} : { event })
    const fired = [...matches, ...misses].filter(value => matcher.test({ value }))
    expect(fired).toEqual(matches)
    expect(matcher.problem).toBeNull()
  })
})

const NO_NAME = (name: string) =>
  `"${name}" would match nothing: a regular expression begins with ^, and a star stands at the end of a name`

describe('problems', () => {
  it.each([
    ['claude', '[', 'syntax', 'Unterminated character class', 0],
    ['claude', '**/*.ts', 'syntax', 'Nothing to repeat', 0],
    ['claude', '(?i)bash', 'syntax', 'Invalid group', 0],
    ['claude', 'x(?!Read)', 'unsupported', 'a look-around ((?!) cannot be matched in linear time', 1],
    ['claude', '(a)\\1', 'unsupported', 'a back-reference (\\1) cannot be matched in linear time', 3],
    ['codex', '(', 'syntax', 'missing closing ): `(`', 0],
    ['toml', '^(', 'syntax', 'missing closing ): `^(`', 0],
    ['toml', '(Write|Edit)', 'syntax', NO_NAME('(Write'), 0],
    ['toml', 'Write|mcp__*__read', 'syntax', NO_NAME('mcp__*__read'), 6],
    ['toml', 'Bash(rm *)', 'syntax', NO_NAME('Bash(rm *)'), 0],
    ['genesis', '', 'syntax', 'an empty alternative', 0],
    ['genesis', 'Write|', 'syntax', 'an empty alternative', 6],
    ['genesis', 'Write|Ba sh', 'syntax', '"Ba sh" is not a tool name', 6],
    ['genesis', 'Bash(rm', 'syntax', '"Bash(rm" has no closing parenthesis', 7],
    ['genesis', 'Bash(rm *)', 'unsupported', '"Bash(rm *)" needs the permission engine to be judged', 0],
  ] as const)('%s %s', (dialect, text, reason, message, offset) => {
    const matcher = compileMatcher({ dialect, text })
    expect(matcher.kind).toBe('invalid')
    expect(matcher.problem).toMatchObject({ reason, message, offset })
    expect(matcher.test({ value: 'Bash' })).toBe(false)
  })
})

describe('Tool(spec)', () => {
  interface Call extends MatchInput {
    readonly command: string
  }
  const compileCall = (pattern: string) =>
    pattern.includes('!')
      ? { ok: false as const, message: 'bad argument', offset: 5 }
      : { ok: true as const, test: (call: Call) => pattern === `Bash(${call.command})` }

  it.each([
    ['Bash(a)|Write', { value: 'Bash', command: 'a' }, true],
    ['Bash(a)|Write', { value: 'Bash', command: 'b' }, false],
    ['Bash(a)|Write', { value: 'Write', command: 'b' }, true],
    ['Bash(a | b)', { value: 'Bash', command: 'a | b' }, true],
    ['Bash((a)|(b))', { value: 'Bash', command: '(a)|(b)' }, true],
    ['Bash(echo ")")', { value: 'Bash', command: 'echo ")"' }, true],
    ['Bash(a)', { value: null, command: 'b' }, true],
  ])('%s on %o', (text, input, expected) => {
    expect(compileMatcher<Call>({ dialect: 'genesis', text }, { compileCall }).test(input)).toBe(expected)
  })

  it('gives the place of a bad argument inside the whole matcher', () => {
    const matcher = compileMatcher<Call>({ dialect: 'genesis', text: 'Write|Bash(!)' }, { compileCall })
    expect(matcher.problem).toEqual({ reason: 'syntax', message: 'bad argument', offset: 11 })
  })
})

describe('matchers from code', () => {
  it('null and undefined match everything', () => {
    expect([null, undefined].map(matcher => compileMatcher(matcher).test({ value: 'x' }))).toEqual([true, true])
  })
  it('a global RegExp keeps no memory between tests', () => {
    const matcher = compileMatcher(/Bash/g)
    expect([1, 2, 3].map(() => matcher.test({ value: 'Bash' }))).toEqual([true, true, true])
  })
  it('a function decides', () => {
    const matcher = compileMatcher(value => value.length > 3)
    expect(['Bash', 'Go'].map(value => matcher.test({ value }))).toEqual([true, false])
  })
  it('an event without a matcher field lets every matcher through', () => {
    expect(compileMatcher({ dialect: 'claude', text: 'Bash' }).test({ value: null })).toBe(true)
  })
  it('an alias counts as the name', () => {
    expect(compileMatcher({ dialect: 'claude', text: 'Task' }).test({ value: 'Agent', aliases: ['Task'] })).toBe(true)
  })
})

it('a pattern that explodes in a backtracking engine is answered at once', () => {
  expect(compileMatcher({ dialect: 'claude', text: '^(a+)+$' }).test({ value: `${'a'.repeat(5000)}!` })).toBe(false)
})
