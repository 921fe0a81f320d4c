// How Belay is called where its name is not found.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nameBelay, ownCommand, ownProgram } from './own-command.ts'

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
])('%s', (_title, folders, expected) => {
  const path = folders?.map(place => `${folder}/${place}`).join(delimiter)
  expect(ownCommand(path)).toBe(expected === 'name' ? 'belay' : ownProgram())
})

test.each([
  ['finish it first: belay effort finish', 'finish it first: /x/belay.cjs effort finish'],
  ['run `belay up`, then "belay why"', 'run `/x/belay.cjs up`, then "/x/belay.cjs why"'],
  ['(belay approvals)', '(/x/belay.cjs approvals)'],
  // No command of ours.
  [
    'Belay up there; the belay daemon; /opt/belay log; my-belay log; belay.',
    'Belay up there; the belay daemon; /opt/belay log; my-belay log; belay.',
  ],
])('%s', (text, expected) => {
  expect(nameBelay(text, '/x/belay.cjs')).toBe(expected)
  expect(nameBelay(text, 'belay')).toBe(text)
})
