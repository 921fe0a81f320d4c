import { describe, expect, test } from 'vitest'
import { createFileView } from '../match/path/node-file-view.ts'
import { TOOL_KINDS } from '../match/tool/tool-kind.ts'
import { compileRules } from './compile-rules.ts'
import { effectivePermissions } from './genesis/effective-permissions.ts'
import { parseGenesis } from './genesis/parse-genesis.ts'
import { judge } from './judge.ts'

const CONTEXT = {
  root: '/repo',
  cwd: '/repo',
  home: '/home/u',
  belayHome: '/home/u/.belay',
  files: createFileView(),
  selfProtection: false,
}
type Input = Record<string, unknown>

const RULES = `permissions:
  default: ask
  actors:
    "agent:*":
      allow: ["Bash(git *)", "Read(src/**)", "named_allow", "WebFetch(domain:example.com)"]
      deny: ["Bash(rm -rf *)", "Read(.env*)", "Write(.env*)", "Task(*)", "named_deny"]
`

function decide(tools: string, call: { tool: string; input: Input; kind?: string }, trusted = true): string {
  const parsed = parseGenesis(`version: "2.0"\n${tools}${RULES}`, 'genesis.key')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  const trustedRules = parseGenesis(`version: "2.0"\n${RULES}`, 'other.key')
  if (!trustedRules.ok) throw new Error('rules')
  const policies = trusted ? [parsed.policy] : [trustedRules.policy, { ...parsed.policy, trusted: false }]
  return judge(call, compileRules(effectivePermissions(policies, 'agent:x')), CONTEXT).verdict.decision
}

const BOX = 'tools: { box: shell }\n'

describe('a tool that the policy declares', () => {
  test.each<[string, string, Input, string]>([
    [BOX, 'box', { command: 'git status' }, 'allow'],
    [BOX, 'box', { command: 'rm -rf src' }, 'deny'],
    [BOX, 'box', { command: 'git status && rm -rf src' }, 'deny'],
    [BOX, 'box', { command: 'npm test' }, 'ask'],
    // A field that no other tool has.
    [BOX, 'box', { job: 'git status' }, 'allow'],
    [BOX, 'box', { job: 'rm -rf src' }, 'deny'],
    [BOX, 'box', { job: 'git status', after: 'rm -rf src' }, 'deny'],
    [BOX, 'box', { job: 'git status', description: 'rather than rm -rf src' }, 'allow'],
    [BOX, 'box', {}, 'ask'],
    ['', 'box', { command: 'git status' }, 'ask'],
    ['tools: { peek: read }\n', 'peek', { document: '.env' }, 'deny'],
    ['tools: { peek: read }\n', 'peek', { document: 'src/a.ts' }, 'allow'],
    ['tools: { peek: Read }\n', 'peek', { path: '.env.local' }, 'deny'],
    ['tools: { scribble: write }\n', 'scribble', { to: '.env' }, 'deny'],
    ['tools: { get: fetch }\n', 'get', { address: 'https://example.com/x' }, 'allow'],
    ['tools: { helper: agent }\n', 'helper', { goal: 'x' }, 'deny'],
    ['tools: { mcp__box__go: Bash }\n', 'mcp__box__go', { what: 'rm -rf src' }, 'deny'],
    // Rules for its own name hold as before.
    ['tools: { named_allow: shell }\n', 'named_allow', { command: 'npm test' }, 'allow'],
    ['tools: { named_allow: shell }\n', 'named_allow', { command: 'rm -rf src' }, 'deny'],
    ['tools: { named_deny: shell }\n', 'named_deny', { command: 'git status' }, 'deny'],
    // What it looks like counts, whatever it was declared to be.
    ['tools: { sly: search }\n', 'sly', { query: 'x', command: 'rm -rf src' }, 'deny'],
  ])('%s%s %j: %s', (tools, tool, input, decision) => {
    expect(decide(tools, { tool, input })).toBe(decision)
  })

  test('nobody has trusted the declaration: it only tightens', () => {
    expect(decide(BOX, { tool: 'box', input: { job: 'rm -rf src' } }, false)).toBe('deny')
    expect(decide(BOX, { tool: 'box', input: { job: 'git status' } }, false)).toBe('ask')
    expect(decide('tools: { named_allow: shell }\n', { tool: 'named_allow', input: { command: 'npm test' } }, false)).toBe('allow')
  })
})

describe('a tool that its program declares', () => {
  test.each<[string, Input, string]>([
    ['shell', { job: 'git status' }, 'allow'],
    ['shell', { job: 'rm -rf src' }, 'deny'],
    ['read', { job: '.env' }, 'deny'],
    ['nonsense', { job: 'git status' }, 'ask'],
  ])('%s %j: %s', (kind, input, decision) => {
    expect(decide('', { tool: 'mine', input, kind })).toBe(decision)
  })

  test('a tool that is known stays what it is', () => {
    expect(decide('', { tool: 'Bash', input: { command: 'rm -rf src' }, kind: 'read' })).toBe('deny')
  })
})

describe('what `tools` may say', () => {
  test.each<[string, string, string]>([
    ['tools: [box]', '`tools` must be a mapping', 'like `run_in_box: shell`'],
    ['tools: { box: shel }', 'neither a kind', 'shell'],
    ['tools: { box: 3 }', 'neither a kind', 'like `run_in_box: shell`'],
    ['tools: { Bash: read }', '`Bash` is known', 'remove this line'],
    ['tools: { "mcp__x__*": shell }', 'is not the name of one tool', 'without wildcards'],
  ])('%s', (text, message, remedy) => {
    const parsed = parseGenesis(`version: "2.0"\n${text}\n`, 'genesis.key')
    expect(parsed.ok).toBe(false)
    if (parsed.ok) return
    expect(parsed.errors).toHaveLength(1)
    expect(parsed.errors[0]?.message).toContain(message)
    expect(parsed.errors[0]?.remedy).toContain(remedy)
  })

  test.each(TOOL_KINDS)('the kind %s', kind => {
    expect(parseGenesis(`version: "2.0"\ntools: { box: ${kind} }\n`, 'genesis.key').ok).toBe(true)
  })
})
