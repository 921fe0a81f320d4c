import { parseGenesis, type Rule } from '@belay/core/policy'
import { describe, expect, test } from 'vitest'
import { findShadows, type PlacedRule } from './find-shadow.ts'

/** `actor effect rule` a line; `!` before it: inert. */
function placed(lines: readonly string[]): readonly PlacedRule[] {
  return lines.map((line, index) => {
    const [, mark, actor = '', effect = '', text = ''] = /^(!?)(\S+) (\S+) (.*)$/.exec(line) ?? []
    const policy = `${'\n'.repeat(index)}permissions: {actors: {${JSON.stringify(actor)}: {${effect}: [${JSON.stringify(text)}]}}}\n`
    const parsed = parseGenesis(policy, 'genesis.key')
    if (!parsed.ok) throw new Error(parsed.errors[0]?.message)
    const block = parsed.policy.permissions?.actors[0]
    const rule = (block?.[effect as Rule['effect']] ?? [])[0]
    if (rule === undefined) throw new Error(line)
    return { rule, actor, inert: mark === '!' ? 'inert' : null }
  })
}

describe('the last rule is hidden by', () => {
  test.each<[string, readonly string[], string | null]>([
    ['the same pattern denied', ['* deny Bash(git push *)', '* allow Bash(git push *)'], 'Bash(git push *)'],
    [
      'the same pattern denied further down',
      ['agent:* allow Bash(ls *)', '* deny Bash(git push *)', 'agent:* allow Bash(git push *)'],
      'Bash(git push *)',
    ],
    ['a tool denied whole', ['* deny Bash', 'agent:x allow Bash(git *)'], 'Bash'],
    ['a wider command', ['agent:* deny Bash(git *)', 'agent:x allow Bash(git push *)'], 'Bash(git *)'],
    ['a wider command that asks', ['* ask Bash(git *)', '* allow Bash(git push origin *)'], 'Bash(git *)'],
    ['the same rule written earlier', ['* deny Bash(rm *)', '* deny Bash(rm *)'], 'Bash(rm *)'],
    ['the same allow written earlier', ['* allow Bash(ls *)', '* allow Bash(ls *)'], 'Bash(ls *)'],
    ['every tool denied', ['* deny *', 'agent:x ask Read'], '*'],

    ['nothing: the other is milder', ['* allow Bash(git *)', '* deny Bash(git push *)'], null],
    ['nothing: the other is narrower', ['* deny Bash(git push *)', '* allow Bash(git *)'], null],
    ['nothing: the other is for somebody else', ['agent:y deny Bash(git *)', 'agent:x allow Bash(git push *)'], null],
    ['nothing: the other is for fewer', ['agent:x deny Bash(git *)', 'agent:* allow Bash(git push *)'], null],
    ['nothing: the other has no effect', ['!* deny Bash(git *)', '* allow Bash(git push *)'], null],
    ['nothing: a wider allow may not welcome every flag', ['* allow Bash(git *)', '* allow Bash(git push *)'], null],
    ['nothing: an allow of another block', ['agent:* allow Bash(ls *)', 'agent:x allow Bash(ls *)'], null],
    ['nothing: another program begins alike', ['* deny Bash(git *)', '* allow Bash(gitk *)'], null],
    ['nothing: a flag is no word', ['* deny Bash(git -C *)', '* allow Bash(git -C x push *)'], null],
    ['nothing: a wildcard inside proves nothing', ['* deny Bash(g* push *)', '* allow Bash(git push *)'], null],
    ['nothing: another tool', ['* deny Write', '* allow Read'], null],
    ['nothing: paths are not compared', ['* deny Read(src/**)', '* allow Read(src/a.ts)'], null],
    ['the same path', ['* deny Read(src/**)', '* allow Read(src/**)'], 'Read(src/**)'],
  ])('%s', (_title, lines, expected) => {
    const rules = placed(lines)
    expect(findShadows(rules).at(-1)?.rule.text ?? null).toBe(expected)
  })
})

test('among many rules the first that hides one is found, as if each stood with it alone', () => {
  const actors = ['*', 'agent:*', 'agent:x', 'agent:x*', 'user:y']
  const texts = [
    ...['Bash', '*', 'Read', 'Read|Write', 'Write|Read', 'Bash(git *)', 'Bash(git push *)', 'Bash(git push origin)', 'Bash(git -C *)'],
    ...['Bash(git push; ls)', 'Bash(g* push)', 'Bash(git)', 'Read(src/**)', 'Read|Write(src/**)', 'Bash(x*)', 'WebFetch(domain:x.com)'],
  ]
  let seed = 3
  const pick = <T>(list: readonly [T, ...T[]] | readonly T[]): T => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    const item = list[(seed >>> 8) % list.length]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const line = (): string => `${pick(['', '', '', '!'])}${pick(actors)} ${pick(['allow', 'ask', 'deny'])} ${pick(texts)}`
  const rules = placed(Array.from({ length: 250 }, line))
  const alone = rules.map((one, index) => rules.find((other, at) => at !== index && pairShadow(other, one, at < index)) ?? null)
  expect(findShadows(rules)).toEqual(alone)
  expect(new Set(alone).size).toBeGreaterThan(20)
})

function pairShadow(other: PlacedRule, one: PlacedRule, isEarlier: boolean): boolean {
  return findShadows(isEarlier ? [other, one] : [one, other])[isEarlier ? 1 : 0] !== null
}
