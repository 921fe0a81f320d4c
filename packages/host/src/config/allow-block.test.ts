import { expect, test } from 'vitest'
import { allowBlockOf, inheritedAllow } from './allow-block.ts'

const rules = [{ text: 'Read(*)' }]

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

test('a new block begins with what the glob allows, one that is there is left alone', () => {
  const glob = { actor: 'agent:*', allow: rules }
  expect(inheritedAllow([glob], 'agent:x')).toEqual([{ actor: 'agent:x', effect: 'allow', pattern: 'Read(*)' }])
  expect(inheritedAllow([glob, { actor: 'agent:x', allow: [] }], 'agent:x')).toEqual([])
  expect(inheritedAllow([], 'agent:x')).toEqual([])
})
