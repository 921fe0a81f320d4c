import { describe, expect, test } from 'vitest'
import type { Permissions } from '../rule.ts'
import { actorKind, effectivePermissions } from './effective-permissions.ts'
import type { GenesisPolicy } from './genesis-policy.ts'
import { parseGenesis } from './parse-genesis.ts'
import { activePolicyHooks, listPolicyHooks } from './policy-hooks.ts'

function policy(text: string, options: { file?: string; trusted?: boolean } = {}): GenesisPolicy {
  const parsed = parseGenesis(`version: "2.0"\n${text}`, options.file ?? 'genesis.key')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return { ...parsed.policy, trusted: options.trusted ?? true }
}

function actors(blocks: Record<string, Partial<Record<'allow' | 'ask' | 'deny', string[]>>>, fallback?: string): string {
  return `permissions: ${JSON.stringify({ actors: blocks, ...(fallback === undefined ? {} : { default: fallback }) })}\n`
}

function texts(permissions: Permissions): Record<string, unknown> {
  return {
    allow: permissions.allow.map(rule => rule.text),
    ask: permissions.ask.map(rule => rule.text),
    deny: permissions.deny.map(rule => rule.text),
    default: permissions.default,
  }
}

describe('effectivePermissions', () => {
  test('deny and ask of every matching block hold, allow comes from the best one', () => {
    const one = policy(
      actors({
        '*': { allow: ['Glob'], ask: ['WebFetch'], deny: ['Bash(rm *)'] },
        'agent:*': { allow: ['Read'], deny: ['Write(.env*)'] },
        'agent:executor': { allow: ['Write'], deny: ['Bash(git push *)'] },
        'agent:auditor': { deny: ['Write'] },
      }),
    )
    expect(texts(effectivePermissions([one], 'agent:executor'))).toEqual({
      allow: ['Write'],
      ask: ['WebFetch'],
      deny: ['Bash(rm *)', 'Write(.env*)', 'Bash(git push *)'],
      default: 'ask',
    })
    expect(texts(effectivePermissions([one], 'agent:other')).allow).toEqual(['Read'])
    expect(texts(effectivePermissions([one], 'human:ada')).allow).toEqual(['Glob'])
  })

  test('every file speaks, each rule keeps its file, the strictest default wins', () => {
    const user = policy(actors({ '*': { allow: ['Read'], deny: ['Bash(sudo *)'] } }, 'none'), { file: '/home/ada/genesis.key' })
    const project = policy(actors({ 'agent:*': { allow: ['Write'] } }, 'deny'), { file: '/repo/genesis.key' })
    const merged = effectivePermissions([user, project], 'agent:x')
    expect(texts(merged)).toEqual({ allow: ['Read', 'Write'], ask: [], deny: ['Bash(sudo *)'], default: 'deny' })
    expect(merged.allow.map(rule => rule.place?.file)).toEqual(['/home/ada/genesis.key', '/repo/genesis.key'])
    expect(merged.hash).not.toBe(user.hash)
    expect(effectivePermissions([user], 'agent:x').hash).toBe(user.hash)
  })

  test.each<[string, (string | null)[], string]>([
    ['no permissions section leaves it to the agent', [null], 'none'],
    ['a section that says nothing asks', [''], 'ask'],
    ['a file without the section has no say', [null, 'allow'], 'allow'],
    ['none is stricter than allow', ['none', 'allow'], 'none'],
    ['ask is stricter than none', ['none', 'ask', 'allow'], 'ask'],
  ])('%s', (_title, defaults, expected) => {
    const policies = defaults.map(each =>
      policy(each === null ? '' : each === '' ? 'permissions: {}\n' : `permissions: {default: ${each}}\n`),
    )
    expect(effectivePermissions(policies, 'agent:x').default).toBe(expected)
  })

  test('an untrusted file only tightens', () => {
    const untrusted = policy(actors({ '*': { allow: ['Bash'], ask: ['Read'], deny: ['Write'] } }, 'allow'), { trusted: false })
    expect(texts(effectivePermissions([untrusted], 'agent:x'))).toEqual({ allow: [], ask: ['Read'], deny: ['Write'], default: 'none' })
  })

  test('names with spaces, @ and globs', () => {
    const one = policy(actors({ 'Ada Byron': { deny: ['Bash'] }, '*@example.com': { deny: ['Write'] }, 'agent:?': { deny: ['Read'] } }))
    expect(texts(effectivePermissions([one], 'Ada Byron')).deny).toEqual(['Bash'])
    expect(texts(effectivePermissions([one], 'ada@example.com')).deny).toEqual(['Write'])
    expect(texts(effectivePermissions([one], 'agent:7')).deny).toEqual(['Read'])
    expect(texts(effectivePermissions([one], 'agent:77')).deny).toEqual([])
  })

  test.each([
    ['agent:architect', 'Write(*)', 'Architects cannot write files. Create a commitment for an Executor.'],
    ['agent:claude-architect', 'Edit', 'Architects cannot write files. Create a commitment for an Executor.'],
    ['agent:architect', 'Bash(*)', 'Architects cannot run commands. Create a commitment for an Executor.'],
    ['agent:auditor', 'Write(*)', 'Auditors cannot write files. Reject the commitment and say what an Executor should change.'],
    ['agent:architect', 'Write(.env*)', undefined],
    ['agent:executor', 'Write(*)', undefined],
    ['agent:architect', 'WebFetch', undefined],
  ])('%s denied %s is told: %s', (actor, rule, message) => {
    const one = policy(actors({ 'agent:*': { deny: [rule] } }))
    expect(effectivePermissions([one], actor).deny[0]?.message).toBe(message)
  })

  test("a rule's own message stands", () => {
    const one = policy('permissions: {actors: {"agent:architect": {deny: [{rule: Write, message: "Not you."}]}}}\n')
    expect(effectivePermissions([one], 'agent:architect').deny[0]?.message).toBe('Not you.')
  })
})

describe('hooks of policies', () => {
  const text = `hooks:
  pre_tool_use:
    - {type: deny, name: gate}
    - {type: command, name: script, config: {command: "true"}}
  post_tool_use:
    - {type: evidence_capture, name: evidence}
    - {type: format_output, name: format}
`

  test('post_tool_use fires for failed calls too', () => {
    expect(activePolicyHooks([policy(text)]).map(hook => `${hook.event} ${hook.name}`)).toEqual([
      'PreToolUse gate',
      'PreToolUse script',
      'PostToolUse evidence',
      'PostToolUseFailure evidence',
      'PostToolUse format',
      'PostToolUseFailure format',
    ])
  })

  test('hooks of an untrusted file that would do more than hold back are inert, and say so', () => {
    const untrusted = policy(text, { file: '/repo/.belay/genesis.key', trusted: false })
    expect(activePolicyHooks([untrusted]).map(hook => hook.name)).toEqual(['gate', 'evidence', 'evidence'])
    expect(listPolicyHooks([untrusted]).map(each => each.inert)).toEqual([
      null,
      '/repo/.belay/genesis.key is not trusted: its command hooks do not run until `belay policy trust`',
      null,
      '/repo/.belay/genesis.key is not trusted: its format_output hooks do not run until `belay policy trust`',
    ])
  })
})

test('actors of one kind have the same rules, and others do not', () => {
  const policies = [
    policy(
      actors({
        '*': { deny: ['Bash(rm *)'] },
        'agent:*': { allow: ['Read'] },
        'agent:b': { allow: ['Glob'] },
        'agent:c*': { ask: ['Task'] },
      }),
    ),
    policy(actors({ 'agent:d': { deny: ['Write'] } })),
  ]
  const names = ['agent:a', 'agent:b', 'agent:c', 'agent:cc', 'agent:d', 'agent:e', 'human:x']
  const kinds = names.map(name => actorKind(policies, name))
  const rules = names.map(name => JSON.stringify(texts(effectivePermissions(policies, name))))
  for (const [one] of names.entries())
    for (const [other] of names.entries())
      expect([names[one], names[other], kinds[one] === kinds[other]]).toEqual([names[one], names[other], rules[one] === rules[other]])
})
