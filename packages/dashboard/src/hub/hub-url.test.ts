import { expect, test } from 'vitest'
import { hubHref, readHubView } from './hub-url.ts'

test.each([
  ['/', 'machines', [], false],
  ['/machines/ab12', 'machines', ['ab12'], false],
  ['/approvals/ab12/apr_1', 'approvals', ['ab12', 'apr_1'], false],
  ['/search', 'search', [], false],
  ['/nothing', 'machines', [], true],
  ['/machines/%zz', 'machines', ['%zz'], false],
] as const)('%s', (path, page, rest, isUnknown) => {
  expect(readHubView(path)).toEqual({ page, rest, isUnknown })
})

test('an address leads back to what it was made of', () => {
  expect(readHubView(hubHref('approvals', 'a/b', 'c d')).rest).toEqual(['a/b', 'c d'])
})
