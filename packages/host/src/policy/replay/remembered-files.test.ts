// What is remembered of the disk is what the disk says: for every kind of name, below every kind of directory.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileView } from '@belay/core/match'
import { afterAll, expect, test } from 'vitest'
import { rememberedFiles } from './remembered-files.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-remembered-')))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'a', 'b'), { recursive: true })
writeFileSync(join(folder, 'a', 'File.txt'), 'x')
symlinkSync('a', join(folder, 'link'))
symlinkSync('gone', join(folder, 'dangling'))
symlinkSync('loop', join(folder, 'loop'))
symlinkSync('../File.txt', join(folder, 'a', 'b', 'up'))

const names = ['a', 'b', 'File.txt', 'file.txt', 'FILE.TXT', 'link', 'dangling', 'loop', 'up', 'missing', '..', '.', '', 'é', 'with space']
const paths = [
  ...names.map(name => `${folder}/${name}`),
  ...names.flatMap(first => names.map(second => `${folder}/${first}/${second}`)),
  ...names.flatMap(first => names.flatMap(second => names.map(third => `${folder}/${first}/${second}/${third}`))),
  '/',
  '/tmp',
  '/etc/passwd',
  '/proc/self/environ',
  '/no/such/place',
]

test(`${paths.length} paths lead where the disk says, when they are asked for first and again`, () => {
  const disk = createFileView()
  const remembered = rememberedFiles()
  const differing = [...paths, ...paths].filter(
    path =>
      JSON.stringify([remembered.realPath(path), remembered.linkCount(path)]) !==
      JSON.stringify([disk.realPath(path), disk.linkCount(path)]),
  )
  expect(differing).toEqual([])
})
