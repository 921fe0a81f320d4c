import { expect, test } from 'vitest'
import { createMessageEdits } from './message-edits.ts'

const [a, b, c] = ['a', 'b', 'c'].map(text => ({ text }))
const x = { text: 'x' }
const y = { text: 'y' }

test.each([
  ['nothing', [a, b], [a, b], [a, b, c], [a, b, c]],
  ['one is taken out', [a, b], [b], [a, b, c], [b, c]],
  ['one is put in front', [a, b], [x, a, b], [a, b, c], [x, a, b, c]],
  ['one is put in between', [a, b], [a, x, b], [a, b, c], [a, x, b, c]],
  ['one is put at the end', [a, b], [a, b, x], [a, b, c], [a, b, x, c]],
  ['one is replaced', [a, b], [a, x], [a, b, c], [a, x, c]],
  ['all are replaced by two', [a, b], [x, y], [a, b, c], [x, y, c]],
  ['all are taken out', [a, b], [], [a, b, c], [c]],
])('%s', (_title, before, after, next, expected) => {
  const edits = createMessageEdits()
  edits.learn(before, after)
  expect(edits.apply(next)).toEqual(expected)
})

test('what was put in may be taken out again, and by what it has as id', () => {
  const edits = createMessageEdits()
  edits.learn([a], [a, { id: '1', text: 'x' }])
  expect(edits.apply([a])).toEqual([a, { id: '1', text: 'x' }])
  edits.learn([a, { id: '1' }], [a])
  expect(edits.apply([a, b])).toEqual([a, b])
})

test('two hooks that ran at once may both have seen the same', () => {
  const edits = createMessageEdits()
  edits.learn([a, b], [b, x])
  edits.learn([a, b], [b, x])
  expect(edits.apply([a, b])).toEqual([b, x])
})
