import { expect, test } from 'vitest'
import { shortenInput } from './shorten-input.ts'

const list = (length: number): number[] => Array.from({ length }, (_, n) => n)
const nest = (depth: number): unknown => (depth === 0 ? 'x' : [nest(depth - 1)])

test.each<[string, unknown, unknown]>([
  ['a command', { command: 'ls', timeout: 5, background: false, env: null }, { command: 'ls', timeout: 5, background: false, env: null }],
  ['a long text', { content: 'x'.repeat(5000) }, { content: `${'x'.repeat(4096)} ... (904 characters more)` }],
  ['a long list', list(150), [...list(100), '50 more']],
  [
    'many keys',
    Object.fromEntries(list(101).map(n => [`k${n}`, n])),
    { ...Object.fromEntries(list(100).map(n => [`k${n}`, n])), '...': '1 more' },
  ],
  ['a deep list', nest(20), [[[[[[[['... (nested deeper)']]]]]]]]],
])('%s', (_name, input, shown) => {
  expect(shortenInput(input)).toEqual(shown)
})
