import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { GenesisPolicy } from './genesis-policy.ts'
import { parseGenesis } from './parse-genesis.ts'

function fixture(name: string): string {
  return readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')
}

function policyOf(text: string): GenesisPolicy {
  const parsed = parseGenesis(text, 'genesis.key')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors, null, 2))
  return parsed.policy
}

/** `line:column message (remedy)` of every error. */
function errorsOf(text: string): string[] {
  const parsed = parseGenesis(text, 'genesis.key')
  if (parsed.ok) return []
  return parsed.errors.map(
    ({ place, message, remedy }) => `${place.line}:${place.column} ${message}${remedy === undefined ? '' : ` (${remedy})`}`,
  )
}

function warningsOf(text: string): string[] {
  return parseGenesis(text, 'genesis.key').warnings.map(({ place, message }) => `${place.line}:${place.column} ${message}`)
}

describe('what a policy says', () => {
  test("the PRD's own genesis.key", () => {
    const parsed = parseGenesis(fixture('prd.key'), '.mentu/genesis.key')
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
    const { policy, warnings } = parsed
    expect(warnings).toEqual([])
    expect(policy.hooks.map(hook => [hook.event, hook.matcher, hook.handler, hook.order, hook.place?.line])).toEqual([
      ['PreToolUse', genesisMatcher('*'), builtin('genesis_enforcement', {}), 'sequence', 6],
      ['PreToolUse', genesisMatcher('Bash(rm -rf *)'), builtin('deny', { reason: 'Recursive force delete is prohibited' }), 'sequence', 9],
      ['PreToolUse', genesisMatcher('Write(.env*)'), builtin('deny', { reason: 'Environment files are protected' }), 'sequence', 14],
      ['PostToolUse', genesisMatcher('Write|Edit'), builtin('evidence_capture', { ledger: true, kind: 'file_change' }), 'sequence', 20],
      ['PostToolUse', genesisMatcher('Bash'), builtin('evidence_capture', { ledger: true, kind: 'command_execution' }), 'sequence', 26],
      [
        'Stop',
        undefined,
        builtin('approval_gate', { condition: 'commitment.requires_review == true', approvers: ['human:rashid'] }),
        'sequence',
        33,
      ],
    ])
    expect(policy.permissions?.default).toBe('ask')
    expect(policy.permissions?.actors.map(block => [block.actor, block.allow.length, block.ask.length, block.deny.length])).toEqual([
      ['agent:executor', 9, 0, 6],
      ['agent:architect', 5, 0, 3],
      ['agent:auditor', 6, 0, 2],
    ])
    const firstDeny = policy.permissions?.actors[0]?.deny[0]
    expect(firstDeny).toMatchObject({ effect: 'deny', text: 'Bash(rm -rf *)', place: { file: '.mentu/genesis.key', line: 52, column: 12 } })
  })

  test('1.0 with operations by actor', () => {
    const policy = policyOf(fixture('operations-1.0.key'))
    expect(policy.version).toBe('1.0')
    expect(policy.hooks).toEqual([])
    expect(policy.permissions?.default).toBe('none')
    expect(policy.permissions?.actors.map(block => [block.actor, block.role])).toEqual([
      ['Ada Byron', 'owner'],
      ['ada@example.com', 'owner'],
      ['agent:claude-architect', 'architect'],
    ])
    expect(policy.operations.filter(grant => grant.actor === 'ada@example.com').map(grant => [grant.operation, grant.effect])).toEqual([
      ['capture', 'allow'],
      ['commit', 'allow'],
    ])
    expect(policy.sections.constraints).toEqual({
      require_claim: [{ match: 'all' }],
      require_human: [{ operation: 'close', match: { tags: ['financial'] } }],
    })
    expect(policy.sections.lineage).toEqual({ parent: null, amendments: [] })
  })

  test('1.0 with actors by operation and no version', () => {
    const policy = policyOf(fixture('tiers-1.0.key'))
    expect(policy.version).toBe('1.0')
    expect(policy.permissions).toEqual({ default: 'none', actors: [] })
    expect(policy.operations.map(({ operation, effect, actor }) => `${operation} ${effect} ${actor}`)).toEqual([
      'claim allow agent:*',
      'claim allow human:*',
      'close allow human:ada',
      'close deny agent:*',
    ])
    expect(policy.sections.tiers).toMatchObject({ classification: { default: 't2' } })
  })

  test('every field of a hook', () => {
    const policy = policyOf(`version: "2.0"
hooks:
  pre_tool_use:
    - matcher: "Bash(git push *)|Write"
      name: ask the reviewer
      id: review
      type: command
      config: {command: "./review.sh", args: [-q], env: {MODE: strict}, cwd: tools, shell: sh, timeout_sec: 2}
      condition: 'actor.role == "executor"'
      fail: ask
      timeout: 500ms
      parallel: true
      once: true
      async: false
  session_start:
    - {type: webhook, id: tell, config: {url: "https://hooks.example.com/x", method: PUT, headers: {authorization: "Bearer \${TOKEN}"}, allowed_env: [TOKEN], timeout_sec: 1.5}}
  user_prompt_submit:
    - {type: prompt, config: {prompt: "Is this safe? $ARGUMENTS", model: small}}
    - {type: agent, config: {prompt: "Check $ARGUMENTS"}}
  stop:
    - {type: mcp_tool, config: {server: ci, tool: run, input: {job: test}}}
`)
    expect(policy.hooks).toEqual([
      {
        event: 'PreToolUse',
        scope: 'policy',
        name: 'ask the reviewer',
        matcher: genesisMatcher('Bash(git push *)|Write'),
        handler: {
          type: 'command',
          dialect: 'genesis',
          command: './review.sh',
          args: ['-q'],
          env: { MODE: 'strict' },
          cwd: 'tools',
          shell: 'sh',
        },
        condition: 'actor.role == "executor"',
        fail: 'ask',
        timeoutMs: 500,
        order: 'group',
        once: true,
        async: false,
        place: { file: 'genesis.key', line: 4, column: 7 },
      },
      {
        event: 'SessionStart',
        scope: 'policy',
        name: 'tell',
        handler: {
          type: 'http',
          url: 'https://hooks.example.com/x',
          method: 'PUT',
          headers: { authorization: 'Bearer ${TOKEN}' },
          allowedEnv: ['TOKEN'],
        },
        timeoutMs: 1500,
        order: 'sequence',
        place: { file: 'genesis.key', line: 16, column: 7 },
      },
      {
        event: 'UserPromptSubmit',
        scope: 'policy',
        handler: { type: 'prompt', prompt: 'Is this safe? $ARGUMENTS', model: 'small' },
        order: 'sequence',
        place: { file: 'genesis.key', line: 18, column: 7 },
      },
      {
        event: 'UserPromptSubmit',
        scope: 'policy',
        handler: { type: 'agent', prompt: 'Check $ARGUMENTS' },
        order: 'sequence',
        place: { file: 'genesis.key', line: 19, column: 7 },
      },
      {
        event: 'Stop',
        scope: 'policy',
        handler: { type: 'mcp_tool', server: 'ci', tool: 'run', input: { job: 'test' } },
        order: 'sequence',
        place: { file: 'genesis.key', line: 21, column: 7 },
      },
    ])
  })

  test('rules with id and message, guards, guardrails, hooks_from', () => {
    const policy = policyOf(`version: 2.0
hooks_from: [genesis]
permissions:
  default: none
  actors:
    "agent:*":
      deny:
        - rule: Bash(git push *)
          id: no-push
          message: Ask a person to push.
      ask: [WebFetch]
guards:
  - id: log
    trigger: {type: heartbeat, condition: session.heartbeat >= 10}
    text: Write a progress entry.
    urgency: block
    priority: 5
    whitelist: ["Bash(belay log *)"]
guardrails:
  schema_guard: {mode: strict}
  tool_ledger:
`)
    expect(policy.hooksFrom).toEqual(['genesis'])
    expect(policy.permissions?.default).toBe('none')
    expect(policy.permissions?.actors[0]?.deny).toMatchObject([{ id: 'no-push', message: 'Ask a person to push.' }])
    expect(policy.permissions?.actors[0]?.ask).toMatchObject([{ id: 'ask-11-13', text: 'WebFetch' }])
    expect(policy.guards).toMatchObject([
      { id: 'log', trigger: { type: 'heartbeat', condition: 'session.heartbeat >= 10' }, urgency: 'block', inject: 'always', priority: 5 },
    ])
    expect(policy.guards[0]?.whitelist.map(rule => rule.text)).toEqual(['Bash(belay log *)'])
    expect(policy.guardrails.map(({ name, config }) => [name, config])).toEqual([
      ['schema_guard', { mode: 'strict' }],
      ['tool_ledger', {}],
    ])
  })

  test.each<[string, string]>([
    ['a byte order mark', '\uFEFFversion: "2.0"\nhooks: {}\n'],
    ['CRLF', 'version: "2.0"\r\nhooks:\r\n  stop:\r\n    - type: final_validation\r\n'],
    ['empty lists and sections', 'version: "2.0"\nhooks:\n  pre_tool_use:\npermissions:\n  actors:\n    agent:x:\n      deny:\n'],
    ['an event nobody knows', 'version: "2.0"\nhooks:\n  quarterly_review:\n    - {type: deny}\n'],
    ['an alias', 'version: "2.0"\npermissions:\n  actors:\n    a: {deny: &no ["Bash(rm *)"]}\n    b: {deny: *no}\n'],
  ])('%s is fine', (_title, text) => {
    expect(errorsOf(text)).toEqual([])
  })

  test('the hash is that of the bytes', () => {
    expect(policyOf('version: "2.0"\n').hash).not.toBe(policyOf('version: "2.0"\r\n').hash)
    expect(policyOf('version: "2.0"\n').hash).toBe('04de7bdd5ef28fb40de520ace42e3cd4e2210da9a6558d632e831040c80a2b83')
  })

  test('what has no effect is a warning', () => {
    expect(warningsOf('version: "1.0"\nastrology: {sign: leo}\n')).toEqual(['2:1 the section `astrology` is not known and has no effect'])
    expect(warningsOf('hooks: {}\n')).toEqual(['1:1 the policy has no `version`; it is read as 2.0'])
  })
})

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
      ['5:31 `condition` "actor.id == ": Unexpected token: EOF'],
    ],
    [
      'a condition in a config',
      'version: "2.0"\nhooks:\n  stop:\n    - {type: approval_gate, config: {condition: nobody.id}}\n',
      ['4:49 `config.condition` "nobody.id": Unknown variable: nobody'],
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
      /^3:1 not valid YAML: map keys must be unique \(join the two, or remove one\)$/,
    ],
    ['a tab', 'version: "2.0"\nhooks:\n\tstop: []\n', /^3:1 not valid YAML: tabs are not allowed as indentation/],
    [
      'a star without quotes',
      'version: "2.0"\npermissions:\n  actors:\n    a:\n      allow: [*]\n',
      /^5:15 not valid YAML: .*\(put text that begins with `\*` in quotes\)$/,
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
      /^4:16 nothing has the anchor `&.key`/,
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

  test.each([
    ['flow lists', '['.repeat(100_000)],
    ['mappings', 'a: '.repeat(5000)],
  ])('very deep %s are an error, not a crash', (_title, text) => {
    expect(errorsOf(`version: "2.0"\nidentity: ${text}`).length).toBeGreaterThan(0)
  })

  test('the handlers check the config of built-in hooks', () => {
    const parsed = parseGenesis('version: "2.0"\nhooks:\n  stop:\n    - {type: approval_gate, config: {approvers: 3}}\n', 'genesis.key', {
      checkBuiltin: (builtin, config) => [{ key: 'approvers', message: `${builtin} wants a list, found ${String(config.approvers)}` }],
    })
    expect(parsed).toMatchObject({
      ok: false,
      errors: [{ message: 'approval_gate: approval_gate wants a list, found 3', place: { line: 4, column: 49 } }],
    })
  })
})

function genesisMatcher(text: string): { dialect: 'genesis'; text: string } {
  return { dialect: 'genesis', text }
}

function builtin(name: string, config: Record<string, unknown>): Record<string, unknown> {
  return { type: 'builtin', builtin: name, config }
}
