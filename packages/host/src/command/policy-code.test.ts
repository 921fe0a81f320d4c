// `belay policy lint`, `prove` and `diff` from the command line.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { belay, makeWorlds, world, write } from './fixtures/world.ts'

makeWorlds()

const policy = (block: string, byDefault = 'deny') =>
  `version: "2.0"\npermissions:\n  default: ${byDefault}\n  actors:\n    "agent:*":\n${block}`
const GIT = policy('      allow:\n        - "Bash(git *)"\n')

test('lint prints place, code, example and remedy; exit 1', async () => {
  write('repo/a.key', GIT)
  const { code, out } = await belay('policy', 'lint', 'a.key', '--no-prove')
  expect(code).toBe(1)
  expect(out).toMatch(
    /^a\.key:7:\d+: warning broad-allow: allow Bash\(git \*\) lets through more than it looks like: .*\n {2}such as: git .*\n {2}allow the commands/,
  )
  expect(JSON.parse((await belay('policy', 'lint', 'a.key', '--no-prove', '--json')).out)).toMatchObject({
    files: [{ rules: 1, findings: [{ code: 'broad-allow', line: 7, docs: 'docs/guide/policy-lint.md#broad-allow', fixable: false }] }],
  })
})

test('lint --fix writes what is safe, and says so', async () => {
  write('repo/a.key', policy('      allow:\n        - "Bash(ls *)"\n        - "Bash(ls *)"\n'))
  const { code, out } = await belay('policy', 'lint', 'a.key', '--no-prove', '--fix')
  expect([code, out]).toEqual([0, expect.stringContaining('fixed duplicate-rule')])
  expect(readFileSync(join(world.repo, 'a.key'), 'utf8')).toBe(policy('      allow:\n        - "Bash(ls *)"\n'))
})

test('lint of nothing, and of what is not there, is exit 2', async () => {
  expect((await belay('policy', 'lint')).code).toBe(2)
  expect((await belay('policy', 'lint', 'none.key')).code).toBe(2)
})

test('prove prints the shortest counter-example, exit 1', async () => {
  write('repo/a.key', GIT)
  const { code, out } = await belay('policy', 'prove', 'never Bash(git push *)', '--policy', 'a.key', '--depth', '0')
  expect(code).toBe(1)
  expect(out).toMatch(/^never Bash\(git push \*\): it can, as agent:claude-code:\n {2}git push\n {2}it is allowed: /)
})

test('a never line that stands in a test file twice is proved once', async () => {
  write('repo/a.key', policy('      deny: ["Bash(git push *)"]\n'))
  const lines = ['Bash(git push *)', 'never Bash(git push *)', '{never: "Bash(git push *)", actor: "agent:x"}', 'network']
  write(
    'repo/a.test.yaml',
    `policy: a.key\nactor: agent:x\nnever:\n${lines.map(line => `  - ${line}\n`).join('')}tests:\n  - {call: Bash(git push), expect: deny}\n`,
  )
  const { out } = await belay('policy', 'prove', '--policy', 'a.key', '--depth', '0')
  expect(out.match(/^never .*: none/gm)).toEqual(['never Bash(git push *): none', 'never network: none'])
})

test('prove says how many shapes were tried and what had to be trusted, exit 0', async () => {
  write('repo/a.key', policy('      deny: ["Bash(git push *)"]\n      allow: ["Bash(npm test *)"]\n'))
  const { code, out } = await belay('policy', 'prove', 'never Bash(git push *)', '--policy', 'a.key', '--depth', '1')
  expect(code).toBe(0)
  expect(out).toMatch(
    /none among \d{3,} shapes up to depth 1, as agent:claude-code\n {2}trusted: npm \(Bash\(npm test \*\)\): it runs code of packages\n$/,
  )
  const json = JSON.parse((await belay('policy', 'prove', 'never network', '--policy', 'a.key', '--depth', '0', '--json')).out)
  expect(json).toMatchObject({
    property: 'never network',
    counterExample: null,
    depth: 0,
    trusted: [{ program: 'npm' }],
    defaults: ['deny'],
  })
})

test.each([
  [['always x', '--policy', 'a.key'], 'does not begin with never'],
  [['never network', '--policy', 'a.key', '--depth', '9'], '--depth 9'],
  [['never network', '--policy', 'none.key'], 'there is no such file'],
  [['never network'], 'no policy holds'],
])('prove %j is exit 2', async (words, message) => {
  write('repo/a.key', GIT)
  expect(await belay('policy', 'prove', ...words)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
})

const WHOLE = `version: "2.0"
hooks_from: [genesis]
hooks:
  pre_tool_use:
    - { matcher: Write, name: first, type: deny, condition: "1 == 1", config: { reason: no } }
    - { matcher: Bash, name: second, type: deny, condition: "1 == 2" }
  stop:
    - { type: approval_gate, name: review, config: { approvers: ["human:*"] } }
permissions:
  default: deny
  actors:
    agent:x:
      deny:
        - { rule: "Bash(git push *)", message: Ask Ada. }
guardrails:
  failure_hints: {}
`

test.each([
  ['condition: "1 == 1"', 'condition: "1 == 3"', 'the hook PreToolUse: first on Write is changed: condition'],
  ['reason: no', 'reason: never', 'the hook PreToolUse: first on Write is changed: config'],
  ['["human:*"]', '["human:bob"]', 'the hook Stop: review is changed: config'],
  ['matcher: Write', 'matcher: Edit', 'the hook PreToolUse: first on Write is gone\nthe hook PreToolUse: first on Edit is new'],
  ['Ask Ada.', 'Ask Bob.', 'agent:x is told something else by deny Bash(git push *): Ask Bob.'],
  [', message: Ask Ada.', '', 'agent:x is told something else by deny Bash(git push *): the standard sentence'],
  ['[genesis]', '[genesis, settings]', 'the section hooks_from is different'],
  ['failure_hints', 'tool_ledger', 'the section guardrails is different'],
  ['version: "2.0"\n', 'version: "2.0"\nidentity: { name: x }\n', 'the section identity is different'],
])('diff finds where %j becomes %j', async (from, to, said) => {
  write('repo/a.key', WHOLE)
  write('repo/b.key', WHOLE.replace(from, to))
  expect(await belay('policy', 'diff', 'a.key', 'b.key')).toEqual({ code: 1, out: `${said}\n`, err: '' })
})

test('diff finds hooks in another order, and nothing where only lines moved', async () => {
  const lines = WHOLE.split('\n')
  const at = lines.findIndex(line => line.includes('name: first'))
  write('repo/a.key', WHOLE)
  write('repo/b.key', [...lines.slice(0, at), lines[at + 1], lines[at], ...lines.slice(at + 2)].join('\n'))
  expect(await belay('policy', 'diff', 'a.key', 'b.key')).toMatchObject({ code: 1, out: 'the hooks stand in another order\n' })
  write('repo/b.key', `# a comment\n\n${WHOLE}`)
  expect((await belay('policy', 'diff', 'a.key', 'b.key')).code).toBe(0)
})

test('diff says in words and by calls what is different', async () => {
  write('repo/a.key', GIT)
  write(
    'repo/b.key',
    policy('      deny:\n        - "Bash(git push *)"\n      allow:\n        - "Bash(git *)"\n        - "Read(*)"\n', 'ask'),
  )
  const { code, out } = await belay('policy', 'diff', 'a.key', 'b.key')
  expect(code).toBe(1)
  expect(out).toContain('where no rule matches: deny becomes ask\n')
  expect(out).toContain('agent:* is newly denied Bash(git push *)\n')
  expect(out).toContain('agent:* is newly allowed Read(*)\n')
  expect(out).toContain('  allow -> deny  agent:x: Bash git push\n')
  expect(out).toContain('  deny -> ask  agent:x: Bash make\n')
  expect(await belay('policy', 'diff', 'a.key', 'a.key')).toMatchObject({ code: 0, out: 'nothing is different\n' })
  expect((await belay('policy', 'diff', 'a.key', 'none.key')).code).toBe(2)
})
