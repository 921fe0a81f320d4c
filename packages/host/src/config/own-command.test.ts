// How Belay is called where its name is not found.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownCommand, ownProgram, programCommand } from './own-command.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'belay-own-'))
  for (const place of ['bin', 'npx/node_modules/.bin', 'empty']) {
    mkdirSync(join(folder, place), { recursive: true })
    if (place !== 'empty') symlinkSync(ownProgram(), join(folder, place, 'belay'))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each<[string, readonly string[] | null, 'name' | 'path']>([
  ['nobody knows the PATH', null, 'name'],
  ['installed for all', ['empty', 'bin'], 'name'],
  ['installed nowhere', ['empty'], 'path'],
  ['started by npx, which no other shell knows', ['npx/node_modules/.bin', 'empty'], 'path'],
  ['started by npx with a slash at the end', ['npx/node_modules/.bin/', 'empty'], 'path'],
  ['started by npx, and installed', ['npx/node_modules/.bin', 'bin'], 'name'],
  ['a folder that depends on where one is', ['../bin', '.'], 'path'],
])('%s', (_title, folders, expected) => {
  const path = folders?.map(place => (place.startsWith('.') ? place : `${folder}/${place}`)).join(delimiter)
  expect(ownCommand(path)).toBe(expected === 'name' ? 'belay' : ownProgram())
})

test.each([
  ['/opt/belay/bin/belay.cjs', '/opt/belay/bin/belay.cjs'],
  ["/opt/Ann's tools/belay.cjs", "'/opt/Ann'\\''s tools/belay.cjs'"],
])('%s as a word for a shell', (program, word) => expect(programCommand(program)).toBe(word))
