import { expect, test } from 'vitest'
import type { RecordDetail, RecordStep, Verdict } from '#page/record.ts'
import { makeRow } from '../live/fixtures.ts'
import { whyNotAlways } from './why-not-always.ts'

const rule = { id: 'no-push', effect: 'deny', text: 'Bash(git push:*)', place: '/p/genesis.key:4' }

function step(more: Partial<RecordStep>): RecordStep {
  const none = {
    scope: null,
    type: null,
    reason: null,
    startMs: null,
    ms: null,
    isOverBudget: false,
    skipped: null,
    place: null,
    error: null,
  }
  return { name: 'permissions', kind: 'permissions', outcome: 'default', verdict: 'none', ...none, ...more }
}

function decided(verdict: Verdict, more: Partial<Pick<RecordDetail, 'rule' | 'steps'>>, reason: string | null = null) {
  return { row: makeRow(1, { verdict, reason }), rule: null, steps: [step({})], ...more }
}

test.each([
  ['the default denied it, as nobody answered', decided('deny', {}), null],
  ['no policy', decided('none', { steps: [step({ outcome: 'no rule' })] }), null],
  ['allowed', decided('allow', {}), 'It is allowed already.'],
  [
    'a deny rule',
    decided('deny', { rule, steps: [step({ outcome: 'deny' })] }),
    'deny Bash(git push:*) (/p/genesis.key:4) denies this call, and no allow rule overrides that. Change that rule instead.',
  ],
  [
    'a hook, before any rule',
    decided('deny', { steps: [step({ name: 'protect', kind: 'hook', verdict: 'deny' }), step({ outcome: 'skipped' })] }),
    'The hook protect denies this call, and no allow rule overrides a hook.',
  ],
  [
    'a command that is too long to judge',
    decided('deny', { steps: [step({ outcome: 'deny' })] }, 'this command is longer than 65536 bytes'),
    'No rule changes this: this command is longer than 65536 bytes.',
  ],
])('%s', (_, given, expected) => {
  expect(whyNotAlways(given)).toBe(expected)
})
