import { describe, expect, test } from 'vitest'
import {
  AMOUNT,
  COUNT,
  FILLED_TEXT,
  FILLED_TEXTS,
  FLAG,
  type Kind,
  LIST,
  MAPPING,
  NUMBER,
  oneOf,
  TEXT,
  TEXTS,
  wholeNumber,
} from './kind.ts'

const VALUES: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  'an empty text': '',
  'a text': 'a',
  true: true,
  zero: 0,
  two: 2,
  half: 0.5,
  minus: -1,
  infinity: Number.POSITIVE_INFINITY,
  'no number': Number.NaN,
  'an empty list': [],
  'a list of texts': ['a', ''],
  'a list of full texts': ['a'],
  'a list of numbers': [1],
  'a mapping': { a: 1 },
}

describe('what each kind takes', () => {
  test.each<[string, Kind<unknown>, readonly string[]]>([
    ['TEXT', TEXT, ['an empty text', 'a text']],
    ['FILLED_TEXT', FILLED_TEXT, ['a text']],
    ['TEXTS', TEXTS, ['an empty list', 'a list of texts', 'a list of full texts']],
    ['FILLED_TEXTS', FILLED_TEXTS, ['an empty list', 'a list of full texts']],
    ['FLAG', FLAG, ['true']],
    ['NUMBER', NUMBER, ['zero', 'two', 'half', 'minus']],
    ['AMOUNT', AMOUNT, ['zero', 'two', 'half']],
    ['COUNT', COUNT, ['zero', 'two']],
    ['wholeNumber from 1', wholeNumber(1), ['two']],
    ['wholeNumber from 0 to 1', wholeNumber(0, 1), ['zero']],
    ['oneOf', oneOf(['a', 'b']), ['a text']],
    ['MAPPING', MAPPING, ['a mapping']],
    ['LIST', LIST, ['an empty list', 'a list of texts', 'a list of full texts', 'a list of numbers']],
  ])('%s', (_, kind, taken) => {
    expect(Object.keys(VALUES).filter(name => kind.is(VALUES[name]))).toEqual(taken)
  })
})

test('a kind says what it takes', () => {
  expect([wholeNumber(1).words, wholeNumber(0, 9).words, oneOf(['a', 'b']).words]).toEqual([
    'a whole number from 1',
    'a whole number from 0 to 9',
    'one of a, b',
  ])
})
