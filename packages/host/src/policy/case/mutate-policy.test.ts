import { parseGenesis, parseRule, type RuleEffect } from '@belay/core/policy'
import { expect, test } from 'vitest'
import { listMutants, widenRule } from './mutate-policy.ts'

test.each([
  ['Bash(git push --force *)', 'Bash(git push *)'],
  ['Bash(rm -rf *)', 'Bash(rm *)'],
  ['Bash(sudo *)', 'Bash'],
  ['Bash(* --force)', 'Bash'],
  ['Bash(@read-only)', 'Bash'],
  ['Write(src/*)', 'Write'],
  ['Write(.env*)', 'Write'],
  ['Read(~/.ssh/**)', 'Read(~/**)'],
  ['Read(//etc/ssl/private/**)', 'Read(//etc/ssl/**)'],
  ['Task(executor)', 'Task'],
  ['WebFetch(domain:example.com)', 'WebFetch'],
  ['Grep', '*'],
  ['Write|Edit(src/app/*)', 'Write|Edit(src/**)'],
])('%s is widened to %s', (text, wider) => {
  // Only allow rules may name a group.
  for (const effect of (text.includes('@') ? ['allow'] : ['allow', 'deny']) satisfies RuleEffect[]) {
    const parsed = parseRule(text, { effect, dialect: 'genesis', id: 'x' })
    expect(parsed.ok && widenRule(parsed.rule)).toMatchObject({ text: wider, effect, id: 'x' })
  }
})

test('what speaks of every tool has nothing wider', () => {
  const parsed = parseRule('*', { effect: 'deny', dialect: 'genesis' })
  expect(parsed.ok && widenRule(parsed.rule)).toBe(null)
})

test('a rule is removed, turned round and widened, in every block that has it; so is the default, and a hook that denies', () => {
  const parsed = parseGenesis(
    `version: "2.0"
hooks:
  pre_tool_use:
    - {matcher: Bash, type: deny, name: no shell, config: {reason: x}}
    - {matcher: Bash, type: genesis_enforcement}
permissions:
  default: deny
  actors:
    "agent:*": {allow: ["Bash(git status *)"], deny: &none ["Bash(sudo *)"]}
    agent:a: {deny: *none}
`,
    'x.key',
  )
  if (!parsed.ok) throw new Error('the policy does not parse')
  const mutants = listMutants(parsed.policy)
  expect(mutants.map(({ kind, what, into }) => [kind, what, into])).toEqual([
    ['removed', 'deny Bash(sudo *)', null],
    ['flipped', 'deny Bash(sudo *)', 'allow Bash(sudo *)'],
    ['widened', 'deny Bash(sudo *)', 'deny Bash'],
    ['removed', 'allow Bash(git status *)', null],
    ['flipped', 'allow Bash(git status *)', 'deny Bash(git status *)'],
    ['widened', 'allow Bash(git status *)', 'allow Bash(git *)'],
    ['default', 'default: deny', 'default: allow'],
    ['hook removed', 'hook no shell', null],
  ])
  const blocks = mutants
    .slice(0, 3)
    .map(({ policy }) =>
      policy.permissions?.actors.map(({ allow, deny }) => [...allow, ...deny].map(({ effect, text }) => `${effect} ${text}`)),
    )
  expect(blocks).toEqual([
    [['allow Bash(git status *)'], []],
    [['allow Bash(git status *)', 'allow Bash(sudo *)'], ['allow Bash(sudo *)']],
    [['allow Bash(git status *)', 'deny Bash'], ['deny Bash']],
  ])
  expect(mutants.at(-1)?.policy.hooks.length).toBe(1)
})
