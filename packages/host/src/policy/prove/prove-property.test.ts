// The prover against guards with one hole each, and against the guard as it is.
import { allow } from '@belay/core'
import { parseGenesis } from '@belay/core/policy'
import { describe, expect, test } from 'vitest'
import type { ProjectGuard } from '../../guard/project-guard.ts'
import { IMAGINED_ROOT, imaginedGuard } from '../imagined-guard.ts'
import { type ProveOptions, proveProperty, readProperty } from './prove-property.ts'

const guardOf = (permissions: string) => {
  const parsed = parseGenesis(`version: "2.0"\npermissions: ${permissions}\n`, 'x.key')
  if (!parsed.ok) throw new Error('the policy does not parse')
  return imaginedGuard([parsed.policy], { stopsAtRefusal: true })
}

const OPTIONS: ProveOptions = { actor: 'agent:a', depth: 1, cwd: IMAGINED_ROOT }

const prove = (guard: ProjectGuard, text: string, options = OPTIONS) => {
  const property = readProperty(text)
  if (!property.ok) throw new Error(property.why)
  return proveProperty(guard, property, options)
}

const closed = guardOf('{default: allow, actors: {"agent:*": {deny: ["Bash(git push *)"]}}}')

/** A matcher that does not look behind a launcher: what it is given passes for text. */
function blindTo(name: string): ProjectGuard {
  const launch = new RegExp(`(?:^|[;&|(]\\s*)${name.replaceAll('.', '\\.')}\\s[^]*`)
  return {
    ...closed,
    judge(call, event) {
      const { command } = call.input
      if (typeof command !== 'string' || !launch.test(command)) return closed.judge(call, event)
      const verdict = allow('not looked into')
      return { verdict, rule: null, decidedBy: null, parts: [], parser: 'ok', policyHash: '' }
    },
  }
}

const PLANTED =
  'env nohup nice time setsid command exec sudo doas ionice busybox unshare timeout stdbuf chrt taskset chroot flock strace ltrace xargs watch systemd-run setarch su runuser ' +
  'script parallel find perf valgrind gdb ssh tmux screen npx npm python3 perl ruby node awk php lua bash sh dash zsh eval firejail bwrap entr'

describe('a planted hole is found', () => {
  test.each(PLANTED.split(' '))('behind %s', name => {
    const { counterExample } = prove(blindTo(name), 'never Bash(git push *)')
    expect(counterExample?.verdict).toBe('allow')
    expect(counterExample?.call.input.command).toMatch(new RegExp(`(?:^|[;&|(]\\s*)${name}\\s`))
  })
})

test.each([
  ['never Bash(git push *)', '{default: allow, actors: {"agent:*": {deny: ["Bash(git push *)"]}}}'],
  ['never Bash(rm -rf *)', '{default: allow, actors: {"agent:*": {deny: ["Bash(rm -rf *)"]}}}'],
  [
    'never Write(.env*)',
    '{default: ask, actors: {"agent:*": {deny: ["Write(.env*)"], allow: ["Write(*)", "Bash(cp *)", "Bash(tee *)", "Bash(@read-only)"]}}}',
  ],
  ['never Read(secret/**)', '{default: ask, actors: {"agent:*": {deny: ["Read(secret/**)"], allow: ["Read(*)", "Bash(@read-only)"]}}}'],
  [
    'never Read(~/.ssh/**)',
    '{default: ask, actors: {"agent:*": {deny: ["Read(~/.ssh/**)"], allow: ["Read(*)", "Bash(@read-only)", "Bash(cp *)"]}}}',
  ],
  ['never network', '{default: deny, actors: {"agent:*": {allow: ["Bash(ls *)", "Read(*)"]}}}'],
])('%s holds where a rule says so', (text, permissions) => {
  const { counterExample, shapes } = prove(guardOf(permissions), text)
  expect(counterExample).toBe(null)
  expect(shapes).toBeGreaterThan(1000)
})

test.each([
  ['never Bash(git push *)', '{default: deny, actors: {"agent:*": {allow: ["Bash(git *)"]}}}', 'git push'],
  ['never Write(.env*)', '{default: deny, actors: {"agent:*": {allow: ["Write(*)"]}}}', undefined],
  ['never Read(.env*)', '{default: deny, actors: {"agent:*": {allow: ["Bash(@read-only)"]}}}', 'nl .env'],
  ['never network', '{default: deny, actors: {"agent:*": {allow: ["Bash(git *)"]}}}', 'git push'],
])('%s does not hold, and the shortest call shows it', (text, permissions, command) => {
  const { counterExample } = prove(guardOf(permissions), text)
  expect(counterExample?.verdict).toBe('allow')
  expect(counterExample?.call.input.command).toBe(command)
})

test.each([
  ['Write(.env*)', 'does not begin with never'],
  ['never Bash(', ''],
  ['never Task(x)', 'nothing is known that does'],
])('%s is no property', (text, why) => {
  const property = readProperty(text)
  expect(property).toMatchObject({ ok: false, why: expect.stringContaining(why), remedy: expect.stringContaining('never network') })
})
