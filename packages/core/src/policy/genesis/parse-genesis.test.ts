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
  test("the genesis.key document's own policy", () => {
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

  test.each([
    ['{type: evidence_capture}', ['4:7 this evidence_capture records nothing in the ledger']],
    ['{type: evidence_capture, config: {kind: file_change}}', ['4:40 this evidence_capture records nothing in the ledger']],
    ['{type: evidence_capture, config: {ledger: false}}', ['4:40 this evidence_capture records nothing in the ledger']],
    ['{type: evidence_capture, config: {ledger: true}}', []],
  ])('%s: warnings %j', (hook, warnings) => {
    expect(warningsOf(`version: "2.0"\nhooks:\n  post_tool_use:\n    - ${hook}\n`)).toEqual(warnings)
  })

  test.each([
    ['effort.phas == "x"', ['`condition`: `effort` has no field `phas`']],
    ['effort.phase == "x" && session.heartbeat > 3', []],
    ['has(session.heartbeet)', ['`condition`: `session` has no field `heartbeet`']],
    [
      'commitment.tear == "t1" || actor.rolle == "x"',
      ['`condition`: `commitment` has no field `tear`', '`condition`: `actor` has no field `rolle`'],
    ],
    ['event.whatever == "x" && event.input.command == "ls"', []],
  ])('a condition %s: warnings %j', (condition, warnings) => {
    const text = `version: "2.0"\nhooks:\n  pre_tool_use:\n    - type: deny\n      condition: '${condition}'\n`
    expect(parseGenesis(text, 'genesis.key').warnings.map(({ message }) => message)).toEqual(warnings)
  })

  test('what has no effect is a warning', () => {
    expect(warningsOf('version: "1.0"\nastrology: {sign: leo}\n')).toEqual(['2:1 the section `astrology` is not known and has no effect'])
    expect(warningsOf('hooks: {}\n')).toEqual(['1:1 the policy has no `version`; it is read as 2.0'])
  })
})

function genesisMatcher(text: string): { dialect: 'genesis'; text: string } {
  return { dialect: 'genesis', text }
}

function builtin(name: string, config: Record<string, unknown>): Record<string, unknown> {
  return { type: 'builtin', builtin: name, config }
}
