import { expect, test } from 'vitest'
import { headOf, shapeOf } from './call-shape.ts'

test('a command keeps what stands beside it', () => {
  expect(shapeOf('Bash', { command: 'ls', description: 'list' })).toEqual({ kind: 'command', command: 'ls', rest: { description: 'list' } })
})

test('Write is a change from nothing', () => {
  expect(shapeOf('Write', { file_path: 'a', content: 'x' })).toEqual({
    kind: 'change',
    path: 'a',
    changes: [{ before: '', after: 'x' }],
    rest: {},
  })
})

test('Edit and MultiEdit are changes', () => {
  const edit = { old_string: 'a', new_string: 'b' }
  const changes = [{ before: 'a', after: 'b' }]
  expect(shapeOf('Edit', { file_path: 'f', ...edit, replace_all: true })).toEqual({
    kind: 'change',
    path: 'f',
    changes,
    rest: { replace_all: true },
  })
  expect(shapeOf('MultiEdit', { file_path: 'f', edits: [edit] })).toEqual({ kind: 'change', path: 'f', changes, rest: {} })
})

test.each([
  { command: ['ls'] },
  { file_path: 'f', edits: [{ old_string: 1, new_string: 'b' }] },
  { file_path: 'f', edits: [null] },
  { file_path: 'f', edits: [] },
  { url: 'https://example.com' },
])('%j is shown as fields', input => {
  expect(shapeOf('Any', input)).toEqual({ kind: 'fields', rest: input })
})

test('apply_patch is a patch', () => {
  expect(shapeOf('apply_patch', { input: '*** Begin Patch' })).toEqual({ kind: 'patch', text: '*** Begin Patch', rest: {} })
})

test.each([
  ['Bash', { command: 'ls', description: 'x' }, 'ls'],
  ['Read', { file_path: 'a.ts' }, 'a.ts'],
  ['Task', { prompt: 'do it' }, 'do it'],
  ['Custom', { n: 1 }, '{"n":1}'],
  ['Custom', {}, 'Custom'],
  [null, {}, ''],
])('%s %j is headed %s', (tool, input, head) => {
  expect(headOf(tool, input)).toBe(head)
})
