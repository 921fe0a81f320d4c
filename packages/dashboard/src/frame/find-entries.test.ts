import { expect, test } from 'vitest'
import { findEntries, type PaletteEntry } from './find-entries.ts'

const ENTRIES: readonly PaletteEntry[] = ['Live', 'Fleet', 'Show what was denied', '12 deny Bash'].map(text => ({
  key: text,
  group: 'Pages',
  text,
  hint: text === '12 deny Bash' ? 'git push --force' : '',
  run: () => undefined,
}))

test.each([
  ['', ['Live', 'Fleet', 'Show what was denied', '12 deny Bash']],
  ['fl', ['Fleet']],
  ['den', ['Show what was denied', '12 deny Bash']],
  ['push 12', ['12 deny Bash']],
  ['12', ['12 deny Bash']],
  ['nowhere', []],
])('%j finds %j', (typed, found) => {
  expect(findEntries(ENTRIES, typed).map(({ text }) => text)).toEqual(found)
})
