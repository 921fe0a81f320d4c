import { expect, test } from 'vitest'
import type { HookView, PolicyFileView, RuleView } from '#page/policy.ts'
import { groupRules, lineOf, marksOfHook, marksOfRule } from './group-rules.ts'

function rule(place: string | null, change: Partial<RuleView> = {}): RuleView {
  return {
    id: place ?? 'none',
    effect: 'deny',
    text: 'Bash(x)',
    actor: '*',
    message: null,
    place,
    hits: 1,
    lastHitAt: null,
    shadowedBy: null,
    inert: null,
    ...change,
  }
}

function file(name: string): PolicyFileView {
  return { file: name, owner: 'project', isOk: true, lastGoodAt: null, isTrusted: true, hash: 'h', text: '', lint: [] }
}

function hook(change: Partial<HookView>): HookView {
  return {
    id: 'h',
    name: 'h',
    event: 'PreToolUse',
    type: 'command',
    matcher: null,
    condition: null,
    scope: 'policy',
    source: 'genesis',
    mode: '',
    fail: 'closed',
    place: null,
    inert: null,
    isGuardrail: false,
    runs: 10,
    failures: 0,
    overBudget: 0,
    p50Ms: 1,
    p99Ms: 2,
    last: null,
    ...change,
  }
}

test('rules stand under their file by line; those without a file come last', () => {
  const groups = groupRules([file('/a'), file('/b')], [rule('/a:10'), rule('/b:3'), rule('/a:9'), rule(null), rule('/ab:1')])
  expect(groups.map(group => [group.file?.file ?? null, group.rules.map(({ place }) => place)])).toEqual([
    ['/a', ['/a:9', '/a:10']],
    ['/b', ['/b:3']],
    [null, [null, '/ab:1']],
  ])
})

test.each([
  ['/a/genesis.key:12', 12],
  ['/a/genesis.key:12:5', 12],
  ['/a', 0],
  [null, 0],
])('%s is at line %d', (place, line) => {
  expect(lineOf(place)).toBe(line)
})

test('the strongest reason a rule does nothing is the one that is told', () => {
  const words = (change: Partial<RuleView>) => marksOfRule(rule('/a:1', change), 7).map(({ word }) => word)
  expect(words({})).toEqual([])
  expect(words({ hits: 0 })).toEqual(['never fired'])
  expect(words({ hits: 0, shadowedBy: 'x' })).toEqual(['shadowed'])
  expect(words({ hits: 0, shadowedBy: 'x', inert: 'not trusted' })).toEqual(['inert'])
})

test('hooks that fail or take too long are told apart', () => {
  const words = (change: Partial<HookView>) => marksOfHook(hook(change), 50).map(({ word }) => word)
  expect(words({})).toEqual([])
  expect(words({ runs: 0 })).toEqual(['never ran'])
  expect(words({ failures: 2, p99Ms: 51, overBudget: 1 })).toEqual(['failing', 'slow'])
  expect(words({ p99Ms: 50 })).toEqual([])
  expect(words({ inert: 'not trusted', runs: 0 })).toEqual(['inert'])
})
