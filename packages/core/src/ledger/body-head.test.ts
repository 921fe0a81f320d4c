import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBodyHead } from './body-head.ts'
import { canonicalJson } from './canonical-json.ts'

test.each([
  ['numbers and objects are no names', '{"judge":1,"rule":"deny-1","tool":{},"verdict":["deny"]}', [null, null, null, null]],
  ['a decision', '{"judge":"1.0.0","rule":{"id":"deny-1"},"tool":"Bash","verdict":"deny"}', ['1.0.0', 'deny-1', 'Bash', 'deny']],
  ['names further down', '{"input":{"tool":"a","verdict":"b"},"tool":"c"}', [null, null, 'c', null]],
  ['a NUL in a text', '{"tool":"a\\u0000b","verdict":"a\\\\u0000b"}', [null, null, null, 'a\\u0000b']],
  ['no object', '[1]', [null, null, null, null]],
  ['nothing', '', [null, null, null, null]],
  ['no JSON', '{', [null, null, null, null]],
  ['a text without an end', '{"tool":"x', [null, null, '', null]],
  ['an escape that is none', '{"tool":"\\x"}', [null, null, null, null]],
])('%s', (_name, body, [judge, rule, tool, verdict]) => {
  expect(readBodyHead(body)).toEqual({ judge, rule, tool, verdict })
})

test('is what a parser finds, whatever else a body holds', () => {
  const value = fc.jsonValue()
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '{"tool":"x"}', '\\"'), value)
  const key = fc.oneof(fc.string(), fc.constantFrom('judge', 'rule', 'tool', 'verdict', 'id', 'to"ol', '"tool":', '\\'))
  const rule = fc.oneof(value, fc.dictionary(fc.oneof(key, fc.constant('id')), text))
  const body = fc.tuple(fc.dictionary(key, fc.oneof(text, fc.dictionary(key, text))), fc.option(rule))
  fc.assert(
    fc.property(body, ([fields, ruled]) => {
      const json = canonicalJson(ruled === null ? fields : { ...fields, rule: ruled })
      const parsed = JSON.parse(json)
      const said = (found: unknown) => (typeof found === 'string' && !found.includes('\0') ? found : null)
      const id = typeof parsed.rule === 'object' && !Array.isArray(parsed.rule) ? said(parsed.rule?.id) : null
      expect(readBodyHead(json)).toEqual({ judge: said(parsed.judge), rule: id, tool: said(parsed.tool), verdict: said(parsed.verdict) })
    }),
  )
})
