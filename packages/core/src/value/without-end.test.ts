import { expect, test } from 'vitest'
import { withoutEnd } from './without-end.ts'

test.each([
  ['', ''],
  ['///', ''],
  ['a/b//', 'a/b'],
  ['//a', '//a'],
  ['a', 'a'],
])('%j without slashes at its end is %j', (text, expected) => expect(withoutEnd(text, '/')).toBe(expected))
