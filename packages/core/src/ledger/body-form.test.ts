import { expect, test } from 'vitest'
import { joinBody, parseForm, readJoined, splitBody } from './body-form.ts'
import { readBodyHead } from './body-head.ts'
import { canonicalJson } from './canonical-json.ts'

const decision = {
  agent: 'claude-code',
  agentId: 'claude-code:1',
  answer: { exit: 0, stderr: '', stdout: '{"a":"\\"}"}' },
  attended: true,
  commitment: null,
  cwd: '/repo',
  decidedBy: 0,
  event: 'PreToolUse',
  hooks: [],
  input: { command: 'ls "[{" \\' },
  judge: '0.1.0',
  parts: [{ decision: 'allow' }],
  reason: 'allowed by the rule Bash(ls *)',
  root: '/repo',
  rule: { id: 'allow-1' },
  tookMs: 0.2,
  tool: 'Bash',
  verdict: 'allow',
}

test('what a decision has in common with others stands in its form', () => {
  const { form, own } = splitBody(canonicalJson(decision))
  const { agent, agentId, answer, attended, commitment, cwd, decidedBy, event, hooks, judge, reason, root, rule, ...rest } = decision
  expect(JSON.parse(own)).toEqual(rest)
  expect(JSON.parse(form ?? '')).toEqual({
    ...{ agent, agentId, answer, attended, commitment, cwd, decidedBy, event, hooks, judge, reason, root, rule },
  })
})

test('what says something of this call alone is its own', () => {
  const { own } = splitBody(canonicalJson({ ...decision, commitment: 'c-1', decidedBy: 2, hooks: [{ hook: 'x' }] }))
  expect(JSON.parse(own)).toMatchObject({ commitment: 'c-1', decidedBy: 2, hooks: [{ hook: 'x' }] })
})

test.each([
  ['of no decision', '{"n":1}'],
  ['empty', '{}'],
  ['no object', '[1,2]'],
  ['with space in it', JSON.stringify(decision, null, 1)],
  ['not in order', JSON.stringify(Object.fromEntries(Object.entries(decision).reverse()))],
  ['with a key twice', `${canonicalJson(decision).slice(0, -1)},"verdict":"deny"}`],
  ['with an escaped key', canonicalJson({ ...decision, 'a"b': 1 })],
  ['cut off', canonicalJson(decision).slice(0, -1)],
  ['with more behind it', `${canonicalJson(decision)} `],
])('a body %s is all its own', (_what, body) => {
  expect(splitBody(body)).toEqual({ form: null, own: body, head: readBodyHead(body) })
})

test('both parts together are the body, whatever it holds', () => {
  let seed = 7
  const random = (most: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return (seed >>> 8) % most
  }
  const keys = [...Object.keys(decision), 'a', 'alsoAs', 'fields', 'zz', 'é', '', 'answer2', 'Answer', '~', 'timing', 'x,y', 'x}']
  const values = [
    null,
    0,
    '0',
    [],
    {},
    '',
    '",',
    '\\',
    '}',
    { '}': '"' },
    [[['{']]],
    '\u2028\u0007',
    'é😀',
    'x'.repeat(99),
    true,
    1e21,
    ...Object.values(decision),
  ]
  let split = 0
  for (let round = 0; round < 5000; round++) {
    const body = canonicalJson(Object.fromEntries(keys.filter(() => random(3) > 0).map(key => [key, values[random(values.length)]])))
    const { form, own, head } = splitBody(body)
    expect(head).toEqual(readBodyHead(body))
    if (form === null) expect(own).toBe(body)
    else {
      split++
      expect(readJoined(parseForm(form), own)).toEqual({ body, head: readBodyHead(body) })
    }
  }
  expect(split).toBeGreaterThan(1000)
})

test('the head of a body is found in its parts', () => {
  const { form } = splitBody(canonicalJson(decision))
  expect(parseForm(form ?? '').head).toEqual({ judge: '0.1.0', rule: 'allow-1', tool: null, verdict: null })
})

test('no other text comes out as the same body, whichever character is another one, is gone or came in', () => {
  const body = canonicalJson(decision)
  const { form, own } = splitBody(body)
  const shared = parseForm(form ?? '')
  const same: string[] = []
  for (let at = 0; at <= own.length; at++) {
    for (const put of ['', '{', '}', '[', ']', ',', ':', '"', '\\', ' ', 'x', '0']) {
      for (const cut of [0, 1]) {
        const changed = own.slice(0, at) + put + own.slice(at + cut)
        if (changed !== own && joinBody(shared, changed) === body) same.push(changed)
      }
    }
  }
  expect(same).toEqual([])
})
