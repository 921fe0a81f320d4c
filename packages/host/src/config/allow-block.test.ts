import { expect, test } from 'vitest'
import { allowBlockOf } from './allow-block.ts'

const rules = ['Read(*)']

test.each([
  ['no block', [], 'agent:x'],
  [
    'a block of its own',
    [
      { actor: 'agent:x', allow: [] },
      { actor: 'agent:*', allow: rules },
    ],
    'agent:x',
  ],
  ['a glob with a list', [{ actor: 'agent:*', allow: rules }], 'agent:*'],
  ['a glob without one', [{ actor: 'agent:*', allow: [] }], 'agent:x'],
  [
    'the longest glob has the say',
    [
      { actor: '*', allow: rules },
      { actor: 'agent:*', allow: [] },
    ],
    'agent:x',
  ],
  ['blocks of others', [{ actor: 'agent:y', allow: rules }], 'agent:x'],
])('%s', (_, blocks, actor) => {
  expect(allowBlockOf(blocks, 'agent:x')).toBe(actor)
})
