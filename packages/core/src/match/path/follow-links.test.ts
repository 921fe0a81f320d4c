// Where a path leads, and at which names it looks for that: a path of thousands of folders that are not there must not take thousands of looks.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { followLinks, type NameKind } from './follow-links.ts'
import { createFileView } from './node-file-view.ts'

const LINKS: Readonly<Record<string, string>> = { '/a/link': '../b', '/b/up': '/a' }
const THERE = new Set(['/a', '/b', '/b/x'])

function follow(path: string): { readonly path: string | null; readonly looks: readonly string[] } {
  const looks: string[] = []
  const look = (name: string): NameKind => {
    looks.push(name)
    const target = LINKS[name]
    if (target !== undefined) return { kind: 'link', target }
    return { kind: THERE.has(name) ? 'plain' : 'missing' }
  }
  const real = followLinks(path, look)
  return { path: real.ok ? real.path : null, looks }
}

describe('below a name that is missing nothing is looked at', () => {
  test.each([
    ['/a/new/x/y', '/a/new/x/y', ['/a', '/a/new']],
    ['/a/new/x/./y', '/a/new/x/y', ['/a', '/a/new']],
    ['/a/link/new/x/', '/b/new/x', ['/a', '/a/link', '/b', '/b/new']],
    ['/a/new/../link/x', '/b/x', ['/a', '/a/new', '/a/link', '/b', '/b/x']],
    ['/a/new/x/../../link/up/y/z', '/a/y/z', ['/a', '/a/new', '/a/link', '/b', '/b/up', '/a', '/a/y']],
    ['/b/x', '/b/x', ['/b', '/b/x']],
  ])('%s', (path, real, looks) => {
    expect(follow(path)).toEqual({ path: real, looks })
  })
})

describe('on the disk', () => {
  const files = createFileView()
  let folder: string

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-links-')))
    mkdirSync(join(folder, 'a', 'b'), { recursive: true })
    writeFileSync(join(folder, 'a', 'b', 'file'), '')
    symlinkSync('a', join(folder, 'link'))
    symlinkSync('nowhere', join(folder, 'lost'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test.each([
    ['a/b/file', 'a/b/file'],
    ['a/b/new', 'a/b/new'],
    ['a/b/new/x/y/z', 'a/b/new/x/y/z'],
    ['new', 'new'],
    ['a/b/file/x/y', 'a/b/file/x/y'],
    ['link/b/file', 'a/b/file'],
    ['link/new/x/y', 'a/new/x/y'],
    ['lost', 'nowhere'],
    ['lost/x/y', 'nowhere/x/y'],
    [`a/${'deep/'.repeat(300)}x`, `a/${'deep/'.repeat(300)}x`],
  ])('%s', (path, real) => {
    expect(files.realPath(join(folder, path))).toEqual({ ok: true, path: join(folder, real) })
  })
})
