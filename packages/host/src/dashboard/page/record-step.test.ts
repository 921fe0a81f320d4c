import { expect, test } from 'vitest'
import { recordSteps } from './record-step.ts'

const cases: readonly (readonly [title: string, run: Readonly<Record<string, unknown>>, scope: string | null, type: string | null])[] = [
  ['our own', { scope: 'policy', handler: 'inline' }, null, "Belay's own"],
  ['a guardrail', { scope: 'policy', handler: 'inline', place: '/repo/.belay/genesis.key:23' }, null, 'guardrail'],
  ['of the policy', { scope: 'policy', handler: 'command', place: '/repo/.belay/genesis.key:11' }, 'policy', 'command'],
  ['of a program', { scope: 'session', handler: 'inline' }, 'session', 'inline'],
]

test.each(cases)('a hook says whose it is: %s', (_title, run, scope, type) => {
  const [, step] = recordSteps({ event: 'PreToolUse', verdict: 'none', hooks: [{ hook: 'one', outcome: 'success', ...run }] })
  expect(step).toMatchObject({ name: 'one', kind: 'hook', scope, type })
})
