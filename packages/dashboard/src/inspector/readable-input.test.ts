import { expect, test } from 'vitest'
import { readableInput } from './readable-input.ts'

test.each([
  [{ command: 'ls', timeout: 5 }, 'command: ls\ntimeout: 5\n'],
  [{ file_path: 'a.ts', content: 'one\ntwo\n' }, 'file_path: a.ts\ncontent:\n  one\n  two\n'],
  [{ edits: [{ old: 'a' }] }, 'edits:\n  [\n    {\n      "old": "a"\n    }\n  ]\n'],
  ['text', '"text"\n'],
  [null, 'null\n'],
])('%j', (value, text) => {
  expect(readableInput(value)).toBe(text)
})
