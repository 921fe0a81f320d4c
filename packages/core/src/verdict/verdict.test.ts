import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allow, ask, deny, fold, none, type Verdict } from './verdict.ts'

const cases: readonly [title: string, verdicts: readonly Verdict[], decision: Verdict][] = [
  ['nothing at all', [], none()],
  ['none, none', [none(), none()], none()],
  ['allow beats none', [none(), allow('fine')], allow('fine')],
  ['ask beats allow', [allow(), ask('why'), none()], ask('why')],
  ['deny beats ask', [ask(), deny('no'), allow()], deny('no')],
  ['allow replaces the ask that stands for "no rule matched"', [ask('no rule', 'default'), allow('hook')], allow('hook')],
  ['allow does not replace the ask of a rule', [ask('rule', 'rule'), allow()], ask('rule', 'rule')],
  ['allow does not replace a may-match', [allow(), ask('maybe', 'may-match')], ask('maybe', 'may-match')],
  ['the default ask stands where nobody answers', [none(), ask('no rule', 'default')], ask('no rule', 'default')],
  ['of two denies the first reason is kept', [deny('one'), deny('two')], deny('one')],
]

test.each(cases)('%s', (_title, verdicts, decision) => {
  expect(fold(verdicts)).toEqual(decision)
})

test('a deny without a reason still has one', () => {
  expect(deny('  ')).toEqual({ decision: 'deny', reason: 'no reason given' })
})

const anyVerdict = fc.oneof(
  fc.constant(none()),
  fc.constant(allow()),
  fc.constantFrom(ask('d', 'default'), ask('r', 'rule'), ask('h', 'hook'), ask('m', 'may-match')),
  fc.constant(deny('no')),
)

test('the order of the answers never changes the decision', () => {
  fc.assert(
    fc.property(fc.array(anyVerdict), fc.infiniteStream(fc.nat()), (verdicts, stream) => {
      const shuffled = verdicts
        .map(verdict => ({ verdict, key: stream.next().value }))
        .sort((a, b) => a.key - b.key)
        .map(({ verdict }) => verdict)
      expect(fold(shuffled).decision).toBe(fold(verdicts).decision)
    }),
  )
})

test('a deny is never lost', () => {
  fc.assert(
    fc.property(fc.array(anyVerdict), fc.array(anyVerdict), (before, after) => fold([...before, deny('no'), ...after]).decision === 'deny'),
  )
})
