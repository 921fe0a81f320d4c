import { expect, test } from 'vitest'
import { inputOf, valuesOf } from './call-fields.ts'

test('fields of a known tool become its input and back', () => {
  const values = { command: 'git push', json: 'ignored' }
  const read = inputOf('Bash', values)
  expect(read).toEqual({ ok: true, input: { command: 'git push' } })
  expect(valuesOf('Bash', { command: 'git push', timeout: 3 })).toEqual({ command: 'git push' })
})

test('a tool without fields takes JSON', () => {
  expect(inputOf('mcp__x__y', { json: '{"a": 1}' })).toEqual({ ok: true, input: { a: 1 } })
  expect(inputOf('mcp__x__y', {})).toEqual({ ok: true, input: {} })
  expect(valuesOf('mcp__x__y', { a: 1 })).toEqual({ json: '{\n  "a": 1\n}' })
})

test.each(['[]', '1', 'null', '{'])('%s is refused with the reason', json => {
  expect(inputOf('mcp__x__y', { json })).toMatchObject({ ok: false, why: expect.stringMatching(/object|JSON/) })
})

test('a value that is not text leaves its field empty', () => {
  expect(valuesOf('Read', { file_path: ['a'] })).toEqual({ file_path: '' })
})
