import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

const place = mkdtempSync(join(tmpdir(), 'belay-folder-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))
writeFileSync(join(place, 'file'), '')
symlinkSync(join(place, 'gone'), join(place, 'link'))

test('makes what is missing, with its mode, once or twice', () => {
  const folder = join(place, 'a', 'b', 'c')
  makeFolder(folder, 0o700)
  makeFolder(folder, 0o700)
  expect(['a', 'a/b', 'a/b/c'].map(name => statSync(join(place, name)).mode & 0o777)).toEqual([0o700, 0o700, 0o700])
})

test('through a link to a folder', () => {
  mkdirSync(join(place, 'real'))
  symlinkSync(join(place, 'real'), join(place, 'way'))
  makeFolder(join(place, 'way', 'below'))
  expect(statSync(join(place, 'real', 'below')).isDirectory()).toBe(true)
})

test.each([
  ['file', 'file cannot be made: there is something else of that name (EEXIST). Choose another place.'],
  ['link', 'link cannot be made: there is something else of that name (EEXIST). Choose another place.'],
  ['file/below', `below cannot be made: ${join(place, 'file')} is not a folder (ENOTDIR). Choose another place.`],
])('%s cannot be made', (folder, why) => {
  expect(() => makeFolder(join(place, folder))).toThrow(why)
})

// Node's own way to make folders would never come back.
test.runIf(process.platform === 'linux')('/proc takes no folders', () => {
  expect(() => makeFolder('/proc/belay/run', 0o700)).toThrow('/proc/belay cannot be made: /proc takes no folders. Choose another place.')
})
