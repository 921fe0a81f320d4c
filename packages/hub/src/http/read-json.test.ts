import { expect, test } from 'vitest'
import { readJson } from './read-json.ts'

test.each<[string, unknown]>([
  ['"a\\u0000b"', 'a\ufffdb'],
  ['"\\ud800"', '\ufffd'],
  ['"\\udc00\\ud800"', '\ufffd\ufffd'],
  ['"\\uD83D\\uDE00 \\ud83d\\ude00 😀"', '😀 😀 😀'],
  ['"\\\\u0000"', '\\u0000'],
  ['"\\\\\\u0000"', '\\\ufffd'],
  ['{"a\\u0000":["\\n\\"\\u0041",{"b":"\\udfff"}]}', { 'a\ufffd': ['\n"A', { b: '\ufffd' }] }],
])('%s', (text, value) => {
  expect(readJson(text)).toEqual(value)
})

test('what is no JSON is none', () => {
  expect(() => readJson('{"a":\\u0000}')).toThrow()
})
