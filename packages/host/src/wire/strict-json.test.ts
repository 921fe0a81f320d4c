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
