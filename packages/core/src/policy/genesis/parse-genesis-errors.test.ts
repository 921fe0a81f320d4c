import { describe, expect, test } from 'vitest'
import { parseGenesis } from './parse-genesis.ts'

/** `line:column message (remedy)` of every error. */
function errorsOf(text: string): string[] {
  const parsed = parseGenesis(text, 'genesis.key')
  if (parsed.ok) return []
  return parsed.errors.map(
    ({ place, message, remedy }) => `${place.line}:${place.column} ${message}${remedy === undefined ? '' : ` (${remedy})`}`,
  )
}

describe('errors', () => {
  test('all of them are listed, in the order of the file', () => {
    const text = `version: "2.0"
hooks:
  pre_tool_usee:
    - matcher: "*"
      type: deny
  post_tool_use:
    - matcher: "Bash(git"
      type: evidence_captur
    - type: command
      comand: ls
  stop:
    - config: {}
permissions:
  defualt: ask
  default: maybe
  actors:
    agent:x:
      alow: ["Read(*)"]
      deny:
        - "Bash()"
        - Write(a): b
        - 7
`
    expect(errorsOf(text)).toEqual([
      '3:3 there is no event `pre_tool_usee` (did you mean pre_tool_use?)',
      '7:25 `matcher` "Bash(git": "Bash(git" has no closing parenthesis (write Tool(argument))',
      '8:13 there is no hook type `evidence_captur` (did you mean evidence_capture?)',
      '9:7 the hook has no `config` (add config: with command)',
      '10:7 a hook has no key `comand` (put `command` under `config:`)',
      '12:7 the hook has no `type` (add type: deny, command, evidence_capture, ...)',
      '14:3 `permissions` has no key `defualt` (did you mean default?)',
      '15:12 `permissions.default` is `maybe`, expected one of none, ask, deny, allow (use one of none, ask, deny, allow)',
      '18:7 the actor `agent:x` has no key `alow` (did you mean allow?)',
      '20:16 the deny rule "Bash()": Bash() has an empty argument (write Bash for every call)',
      '21:11 a rule has no key `Write(a)` (use one of rule, id, message, match, not_match)',
      '21:11 the rule is a mapping without `rule` (a rule that holds `: ` or ` #` must be in quotes)',
      '22:11 a rule must be text, or a mapping with `rule` (write the rule in quotes: "Bash(git push *)")',
    ])
  })

  test.each<[string, string, string[]]>([
    ['nothing', '', ['1:1 the file is empty (write version: "2.0" and what the policy should say)']],
    ['only comments', '# nothing yet\n', ['1:1 the file is empty (write version: "2.0" and what the policy should say)']],
    ['an anchor by mistake', '&hooks:\n', ['1:8 the file is empty (write version: "2.0" and what the policy should say)']],
    ['a list', '- a\n', ['1:1 a policy must be a mapping, found a list (begin with version: "2.0")']],
    ['text', 'hello\n', ['1:1 a policy must be a mapping, found the text "hello" (begin with version: "2.0")']],
    ['another version', 'version: "3.0"\n', ['1:10 `version` is the text "3.0", expected "2.0" or "1.0" (write version: "2.0")']],
    ['a slip in a section', 'version: "2.0"\npermisions: {}\n', ['2:1 a policy has no section `permisions` (did you mean permissions?)']],
    ['the same slip in 1.0', 'version: "1.0"\npermisions: {}\n', ['2:1 a policy has no section `permisions` (did you mean permissions?)']],
    [
      'the wrong spelling of an event',
      'version: "2.0"\nhooks: {PreToolUse: []}\n',
      ['2:9 there is no event `PreToolUse` (did you mean pre_tool_use?)'],
    ],
    ['hooks as a list', 'version: "2.0"\nhooks: []\n', ['2:8 `hooks` must be a mapping, found a list']],
    [
      'an event with a mapping',
      'version: "2.0"\nhooks:\n  stop:\n    type: deny\n',
      ['4:5 `hooks.stop` must be a list, found a mapping (write one item a line, each with `- ` before it)'],
    ],
    [
      'config in the wrong place',
      'version: "2.0"\nhooks:\n  stop:\n    - {type: deny, reason: no}\n',
      ['4:20 a hook has no key `reason` (put `reason` under `config:`)'],
    ],
    [
      'a condition that does not parse',
      'version: "2.0"\nhooks:\n  stop:\n    - type: deny\n      condition: "actor.id == "\n',
      ['5:31 `condition` "actor.id == ": Unexpected token: EOF (write a comparison, such as actor.role == "executor")'],
    ],
    [
      'a condition in a config',
      'version: "2.0"\nhooks:\n  stop:\n    - {type: approval_gate, config: {condition: nobody.id}}\n',
      ['4:49 `config.condition` "nobody.id": Unknown variable: nobody (use one of event, actor, session, effort, task, commitment)'],
    ],
    [
      'flags, choices and durations of the wrong type',
      'version: "2.0"\nhooks:\n  stop:\n    - {type: deny, once: 1, fail: shut, timeout: soon}\n',
      [
        '4:26 `once` must be true or false, found the number 1',
        '4:35 `fail` is `shut`, expected one of open, closed, ask (use one of open, closed, ask)',
        '4:50 `timeout` is "soon", expected a duration (write seconds (30) or a unit (500ms, 30s, 5m))',
      ],
    ],
    [
      'an address that is none',
      'version: "2.0"\nhooks:\n  stop:\n    - {type: http, config: {url: "ftp://x"}}\n',
      ['4:34 `config.url` is "ftp://x", expected an http or https address'],
    ],
    [
      'two rules with one id',
      'version: "2.0"\npermissions:\n  actors:\n    a:\n      deny:\n        - {rule: Write, id: w}\n        - {rule: Edit, id: w}\n',
      ['7:18 the id `w` is already that of "Write" in line 6 (give each rule an id of its own)'],
    ],
    [
      'a guard without what it needs',
      'version: "2.0"\nguards:\n  - {id: a, trigger: {type: heartbeet}}\n',
      [
        '3:5 the guard has no `text`',
        '3:29 `trigger.type` is `heartbeet`, expected one of heartbeat, contextThreshold, lifecycle, phase, noEffort, toolPattern (did you mean heartbeat?)',
      ],
    ],
    [
      'a guardrail nobody knows',
      'version: "2.0"\nguardrails: {schema_gard: {}}\n',
      ['2:14 `guardrails` has no key `schema_gard` (did you mean schema_guard?)'],
    ],
    [
      'hooks_from',
      'version: "2.0"\nhooks_from: [genesys]\n',
      ['2:14 a source of `hooks_from` is `genesys`, expected one of genesis, hooks_toml, settings, plugin, skill (did you mean genesis?)'],
    ],
  ])('%s', (_title, text, errors) => {
    expect(errorsOf(text)).toEqual(errors)
  })

  test.each<[string, string, RegExp]>([
    [
      'a duplicate key',
      'version: "2.0"\nhooks: {}\nhooks: {}\n',
      /^3:1 not valid YAML: `hooks` stands here and in line 2 \(join the two, or remove one\)$/,
    ],
    ['a tab', 'version: "2.0"\nhooks:\n\tstop: []\n', /^3:1 not valid YAML: tabs are not allowed as indentation/],
    [
      'a star without quotes',
      'version: "2.0"\npermissions:\n  actors:\n    a:\n      allow: [*]\n',
      /^5:15 `\*` without quotes is a reference, not text \(put text that begins with `\*` in quotes\)$/,
    ],
    [
      'an unknown alias',
      'version: "2.0"\nhooks: *nothing\n',
      /^2:8 nothing has the anchor `&nothing` \(put text that begins with `\*` in quotes\)$/,
    ],
    ['two documents', 'version: "2.0"\n---\nhooks: {}\n', /^2:1 not valid YAML: source contains multiple documents/],
    [
      'a pattern without quotes',
      'version: "2.0"\npermissions:\n  actors:\n    a: {deny: [*.key]}\n',
      /^4:16 `\*.key` without quotes is a reference/,
    ],
    ['an unclosed quote', 'version: "2.0\n', /^2:1 not valid YAML: missing closing "quote/],
    ['a merge key', 'version: "2.0"\nhooks:\n  stop:\n    - {type: deny, <<: {once: true}}\n', /^4:20 a hook uses the merge key/],
  ])('%s', (_title, text, expected) => {
    expect(errorsOf(text)[0]).toMatch(expected)
  })

  test('aliases of aliases are refused at the cost of reading them', () => {
    const lines = ['a: &a0 [x, x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 30; level++)
      lines.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      )
    const errors = errorsOf(`version: "1.0"\nidentity:\n  ${lines.join('\n  ')}\n`)
    expect(errors[0]).toMatch(/aliases inside aliases/)
    expect(errorsOf('version: "1.0"\nidentity: &i {self: *i}\n')[0]).toMatch(/aliases inside aliases/)
  })

  test('a file too large to load in time is refused', () => {
    expect(errorsOf(`version: "2.0"\n# ${'x'.repeat(4 * 1024 * 1024)}\n`)[0]).toMatch(
      /^1:1 the file has 41943\d\d characters, more than the limit of 4194304$/,
    )
  })

  test('thousands of aliases cost no more than reading them', () => {
    const aliases = '*a, '.repeat(20_000)
    expect(errorsOf(`version: "1.0"\nidentity: {a: &a x, b: [${aliases}]}\n`)).toEqual([
      expect.stringMatching(/or for more than 10000 values/),
    ])
  })

  test.each([
    ['flow lists', '['.repeat(100_000)],
    ['mappings', 'a: '.repeat(5000)],
  ])('very deep %s are an error, not a crash', (_title, text) => {
    expect(errorsOf(`version: "2.0"\nidentity: ${text}`).length).toBeGreaterThan(0)
  })

  test('the handlers check the config of built-in hooks', () => {
    const parsed = parseGenesis('version: "2.0"\nhooks:\n  stop:\n    - {type: approval_gate, config: {approvers: 3}}\n', 'genesis.key', {
      checkBuiltin: (builtin, config) => [{ path: ['approvers'], message: `${builtin} wants a list, found ${String(config.approvers)}` }],
    })
    expect(parsed).toMatchObject({
      ok: false,
      errors: [{ message: 'approval_gate: approval_gate wants a list, found 3', place: { line: 4, column: 49 } }],
    })
  })
})
