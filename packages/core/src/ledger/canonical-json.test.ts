import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

describe('RFC 8785', () => {
  test.each([
    ['numbers', { numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27] }, '{"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}'],
    [
      'keys by UTF-16 code units',
      { '\u20ac': 1, '\r': 2, '\ufb33': 3, 1: 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 },
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
    ],
    ['minus zero', [-0], '[0]'],
    ['control characters', '\u000f\n\t"\\/', '"\\u000f\\n\\t\\"\\\\/"'],
    ['no undefined, no functions', { a: undefined, b: () => 1, c: [undefined] }, '{"c":[null]}'],
    ['not a number', [Number.NaN, Number.POSITIVE_INFINITY], '[null,null]'],
    ['lone surrogates', ['\ud800x', 'a\udc00', '\ud83d\ude00'], '["\ufffdx","a\ufffd","\ud83d\ude00"]'],
    ['lone surrogates in keys, sorted after they are replaced', { '\ud800': 1, '\uffee': 2 }, '{"\uffee":2,"\ufffd":1}'],
    ['backslashes before a surrogate', ['\\\ud800', '\\\\ud800'], '["\\\\\ufffd","\\\\\\\\ud800"]'],
    ['numbers at the edges', [1e21, 1e-7, 5e-324, 123456789012345680000, -1.5], '[1e+21,1e-7,5e-324,123456789012345680000,-1.5]'],
    ['an escaped surrogate that is only text', ['\\ud800'], '["\\\\ud800"]'],
    ['dates', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['big integers', [12345678901234567890n], '["12345678901234567890"]'],
    [
      'keys that look alike when joined',
      [
        { a: 1, 'b\nc': 2 },
        { 'a\nb': 1, c: 2 },
        { a: 1, b: 2, c: 3 },
      ],
      '[{"a":1,"b\\nc":2},{"a\\nb":1,"c":2},{"a":1,"b":2,"c":3}]',
    ],
    ['nothing', undefined, 'null'],
    ['big integers among keys in order', { a: { b: 1n } }, '{"a":{"b":"1"}}'],
    ['keys that are numbers, in the order of text', { 9: 1, 10: { a: 1, b: 2 } }, '{"10":{"a":1,"b":2},"9":1}'],
    ['what makes its own JSON, out of order', { a: { toJSON: () => ({ c: 1, b: 2 }) } }, '{"a":{"b":2,"c":1}}'],
    [
      'keys out of order at the bottom',
      { a: [{ b: { d: 1, c: 2 } }], e: { a: 1, f: undefined } },
      '{"a":[{"b":{"c":2,"d":1}}],"e":{"a":1}}',
    ],
    ['lone surrogates where keys are in order', { a: '\ud800', b: { '\ud800': 1 } }, '{"a":"\ufffd","b":{"\ufffd":1}}'],
  ])('%s', (_name, value, expected) => {
    expect(canonicalJson(value)).toBe(expected)
  })

  test('agrees with an independent implementation on any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(canonicalJson(value)).toBe(canonicalize(value))
        expect(canonicalJson(JSON.parse(canonicalize(value) ?? 'null'))).toBe(canonicalize(value))
      }),
    )
  })

  test('is a fixed point: the text of a parsed text is the text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), value => {
        const text = canonicalJson(value)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
  })
})
