import { parseGenesis } from '@belay/core/policy'
import { describe, expect, test } from 'vitest'
import { IMAGINED_ROOT, imaginedGuard } from '../imagined-guard.ts'
import { LAUNCHER_HEADS } from '../prove/carrier.ts'
import { toolEvent } from '../recorded-call.ts'
import { VERBS_THAT_RUN } from '../runner.ts'
import { fixText } from './fix-text.ts'
import { lintFile } from './lint-file.ts'

const lint = (block: string, prove = false) =>
  lintFile(`version: "2.0"\npermissions:\n  default: deny\n  actors:\n    "agent:*":\n${block}`, 'x.key', { prove }).findings

function decideBy(block: string, command: string): string {
  const parsed = parseGenesis(`version: "2.0"\npermissions:\n  default: deny\n  actors:\n    "agent:*":\n${block}`, 'x.key')
  if (!parsed.ok) throw new Error('the policy does not parse')
  const call = { tool: 'Bash', input: { command } }
  return imaginedGuard([parsed.policy]).judge(call, toolEvent({ call, actor: 'agent:x', cwd: IMAGINED_ROOT })).verdict.decision
}

describe('finds', () => {
  test.each([
    ['duplicate-rule', '      allow:\n        - "Bash(ls *)"\n        - "Bash(ls *)"\n', 8],
    ['contradictory-rules', '      deny: ["Bash(make *)"]\n      allow: ["Bash(make *)"]\n', 7],
    ['shadowed-rule', '      deny: ["Bash(git *)", "Bash(git push *)"]\n', 6],
    ['shadowed-rule', '      deny: [Write]\n      allow: ["Write(src/**)"]\n', 7],
    ['unknown-name', '      deny: ["Wirte(.env)"]\n', 6],
    ['unknown-name', '      deny: ["bash(rm *)"]\n', 6],
    ['broad-allow', '      allow: ["Bash(git *)"]\n', 6],
    ['broad-allow', '      allow: [Bash]\n', 6],
    ['invalid-policy', '      allow: ["Bash("]\n', 6],
  ])('%s in %j', (code, block, line) => {
    expect(lint(block).map(found => [found.code, found.place.line])).toEqual([[code, line]])
  })

  test('a matcher that can never match', () => {
    const hook = (matcher: string) => ({ matcher, hooks: [{ type: 'command', command: 'true' }] })
    const text = JSON.stringify({
      hooks: { PreToolUse: [hook('Bash$x'), hook('Ba^sh|Read'), hook('^Bash$|^Read$'), hook('mcp__.*'), hook('[^a]$')] },
    })
    const { findings } = lintFile(text, '.claude/settings.json', { prove: false })
    const dead = findings.filter(({ code }) => code === 'dead-matcher').map(({ message }) => /"(.*)"/.exec(message)?.[1])
    expect(dead).toEqual(['Bash$x', 'Ba^sh|Read'])
  })

  test('a broad rule with a call that it really lets through', () => {
    const [found] = lint('      allow: ["Bash(git *)"]\n')
    expect(found?.example).toMatch(/^git /)
  })

  const whole = [...LAUNCHER_HEADS, ...[...VERBS_THAT_RUN].map(([verb, between]) => `${verb}${' place'.repeat(between)}`)]
  const interpreters = 'bash sh python3 node perl ruby php lua deno tsx java'.split(' ')

  test.each([...whole, ...interpreters])('a rule on %s with a star, wherever it lets another program or file through', head => {
    const allows = (command: string) => decideBy(`      allow: ["Bash(${head} *)"]\n`, command) === 'allow'
    const isBroad = allows(`${head} any-program`) || allows(`${head} any-file`)
    expect(lint(`      allow: ["Bash(${head} *)"]\n`).some(({ code }) => code === 'broad-allow')).toBe(isBroad)
  })

  test.each(['screen', 'busybox', 'dumb-init'])('%s with a star lets through what one of its options or verbs starts', head => {
    expect(lint(`      allow: ["Bash(${head} *)"]\n`).map(({ code }) => code)).toEqual(['broad-allow'])
  })

  test('no program of which only one verb runs what it is given', () => {
    const asks = ['push *', 'config *', '-c *', 'filter-branch *', 'submodule *', 'bisect run *'].map(verb => `"Bash(git ${verb})"`)
    expect(lint(`      ask: [${asks.join(', ')}]\n      allow: ["Bash(git *)"]\n`)).toEqual([])
  })

  test.each([
    'docker exec web npm test',
    'npx eslint',
    'python3 scripts/check.py',
    'uv run pytest',
    'git add',
    'npm run build',
    'cmake',
    'perf',
  ])('nothing in a rule on %s, which says what it runs', head => {
    expect(lint(`      allow: ["Bash(${head} *)"]\n`)).toEqual([])
  })

  test('a deny that is escaped, with the call that escapes', () => {
    const policy = 'version: "2.0"\npermissions:\n  default: none\n  actors:\n    "agent:*":\n      deny: ["Bash(* --force)"]\n'
    const findings = lintFile(policy, 'x.key', { prove: true }).findings
    expect(findings.map(({ code, example }) => [code, example])).toEqual([['escaped-deny', expect.stringContaining('--force')]])
  })
})

test('what is fine is left alone', () => {
  expect(lint('      deny: ["Bash(rm -rf *)", "Write(.env*)"]\n      allow: ["Bash(npm test *)", "Read(*)"]\n')).toEqual([])
})

test('rules in settings of an agent', () => {
  const text = JSON.stringify({ permissions: { allow: ['Bash(python:*)', 'Bash(ls:*)'], deny: ['Bash(ls:*)'] } }, null, 1)
  const { findings, rules } = lintFile(text, '.claude/settings.json', { prove: false })
  expect(rules).toBe(3)
  expect(findings.map(({ code }) => code)).toEqual(expect.arrayContaining(['contradictory-rules']))
})

test('rules whose order or conditions decide are not compared; a setting is not a name', () => {
  const opencode = JSON.stringify({ permission: { '*': 'deny', bash: { '*': 'deny', 'git *': 'allow' } } })
  expect(lintFile(opencode, 'opencode.json', { prove: false }).findings).toEqual([])
  const slow = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true', timeout: 10_000 }] }] } })
  expect(lintFile(slow, '.claude/settings.json', { prove: false }).findings.map(({ code }) => code)).toEqual(['doubtful-setting'])
})

test('--fix removes a repeated rule and corrects a name in another case, and nothing else', () => {
  const text = `version: "2.0" # mine
permissions:
  actors:
    "agent:*":
      deny:
        - "bash(rm *)"   # careful
        - "Bash(ls *)"
        - "Bash(ls *)"
        - {rule: "Wirte(x)"}
`
  const { findings } = lintFile(text, 'x.key', { prove: false })
  const fixed = fixText(text, findings)
  expect(fixed.fixed.map(({ code }) => code)).toEqual(['unknown-name', 'duplicate-rule'])
  expect(fixed.text).toBe(text.replace('bash(rm', 'Bash(rm').replace('        - "Bash(ls *)"\n', ''))
})

test('ten thousand rules, of which each third stands there already', () => {
  const rules = Array.from({ length: 10_000 }, (_, at) => `        - "Bash(tool-${at % 3 === 0 ? 0 : at} *)"\n`)
  const codes = lint(`      allow:\n${rules.join('')}      deny: ["Bash(tool-1 *)"]\n`).map(({ code }) => code)
  expect([codes.length, new Set(codes)]).toEqual([3334, new Set(['duplicate-rule', 'contradictory-rules'])])
})
