import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeUtf8, parseStrictJson } from './strict-json.ts'

const refused: readonly [text: string, problem: RegExp][] = [
  ['{"a":1,"a":2}', /"a" stands twice/],
  ['{"a":1,"\\u0061":2}', /stands twice/],
  ['{"x":{"b":1,"b":1}}', /"b" stands twice/],
  ['[{"a":1},{"a":1,"c":[],"a":1}]', /stands twice/],
  ['{"__proto__":{}}', /__proto__ is refused/],
  ['{"\\u005f_proto__":{}}', /__proto__ is refused/],
  ['"abc', /not closed/],
  ['{"a":1', /not JSON/],
  ['', /not JSON/],
  ['{} {}', /not JSON/],
  ['[1,]', /not JSON/],
  ['\u0000', /not JSON/],
  ['['.repeat(65) + ']'.repeat(65), /deeper than 64/],
]

test.each(refused)('%s', (text, problem) => {
  const result = parseStrictJson(text)
  expect(result).toMatchObject({ ok: false, problem: expect.stringMatching(problem) })
})

test.each([
  '{"a":"a","b":"a"}',
  '{"a":{"a":1}}',
  '[{"a":1},{"a":2}]',
  '{"a":"{\\"a\\":1,\\"a\\":2}"}',
  '"\\\\"',
  '{"a\\"":1,"a":2}',
  ' 1 ',
])('%s', text => {
  expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
})

test('whatever JSON.stringify writes is read back the same', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), value => {
      const text = JSON.stringify(value)
      if (text.includes('__proto__')) return
      expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
    }),
  )
})

/** As JSON text; an object is a list of pairs, so that a key can stand in it twice. */
type Written = string | readonly Written[] | { readonly pairs: readonly (readonly [string, Written])[] }

const written = fc.letrec<{ value: Written }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('1', 'null', '"a"', '":"', '"{\\"a\\":1}"'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.record({ pairs: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', '\\u0061', '__proto__x'), tie('value')), { maxLength: 3 }) }),
  ),
})).value

function write(value: Written): string {
  if (typeof value === 'string') return value
  if ('pairs' in value) return `{${value.pairs.map(([key, entry]) => `"${key}":${write(entry)}`).join(',')}}`
  return `[${value.map(write).join(',')}]`
}

function isDoubled(value: Written): boolean {
  if (typeof value === 'string') return false
  if (!('pairs' in value)) return value.some(isDoubled)
  const keys = value.pairs.map(([key]) => (key === '\\u0061' ? 'a' : key))
  return new Set(keys).size < keys.length || value.pairs.some(([, entry]) => isDoubled(entry))
}

test('a key that stands twice is found wherever it is, and nothing else is', () => {
  fc.assert(fc.property(written, value => parseStrictJson(write(value)).ok !== isDoubled(value)))
})

test('never throws', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', 'a', '1', ' ', 'u') }),
      text => void parseStrictJson(text),
    ),
  )
})

test('bytes that are no UTF-8 are refused', () => {
  expect(decodeUtf8(Buffer.from([0x22, 0xff, 0x22]))).toBeNull()
  expect(decodeUtf8(Buffer.from('"é"'))).toBe('"é"')
})
