import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listFiles, walkFiles } from './list-files.ts'
import { createScorer } from './score-path.ts'
import { suggestFiles } from './suggest-files.ts'

const FILES = [
  'README.md',
  'docs/guide/reading.md',
  'package.json',
  'packages/core/package.json',
  'packages/core/src/policy/judge-unit.ts',
  'packages/core/src/policy/judge-unit.test.ts',
  'packages/host/src/daemon/decide.ts',
  'packages/host/src/daemon/decision-record.ts',
  'packages/host/src/command/decide.ts',
  'src/UserProfileCard.tsx',
  'src/userland/profile/card.css',
]

const BEST: readonly [query: string, best: string][] = [
  ['readme', 'README.md'],
  ['package', 'package.json'],
  ['core package', 'packages/core/package.json'],
  ['judge', 'packages/core/src/policy/judge-unit.ts'],
  ['jutest', 'packages/core/src/policy/judge-unit.test.ts'],
  ['daemon/decide', 'packages/host/src/daemon/decide.ts'],
  ['decide daemon', 'packages/host/src/daemon/decide.ts'],
  ['upc', 'src/UserProfileCard.tsx'],
  ['DECREC', 'packages/host/src/daemon/decision-record.ts'],
]

describe('the best file for', () => {
  for (const [query, best] of BEST) test(query, () => expect(suggestFiles(FILES, query, 3)[0]?.path).toBe(best))
  test('letters that are nowhere', () => expect(suggestFiles(FILES, 'xyzzy', 3)).toEqual([]))
  test('nothing typed: the shortest paths', () =>
    expect(suggestFiles(FILES, '', 2).map(({ path }) => path)).toEqual(['README.md', 'package.json']))
})

/** Every way to place the letters, tried one by one. */
function scoreByTrying(path: string, term: string): number | null {
  const isWord = (letter: string) => /[a-z0-9]/i.test(letter) || letter > '\x7f'
  const worth = (at: number) => {
    const before = path[at - 1]
    const begins = before === undefined || !isWord(before) || (/[A-Z]/.test(path[at] ?? '') && !/[A-Z]/.test(before))
    return 16 + (begins ? 10 : 0) + (at >= path.lastIndexOf('/') + 1 ? 6 : 0)
  }
  const place = (index: number, last: number): number => {
    if (index === term.length) return 0
    let best = Number.NEGATIVE_INFINITY
    for (let at = last + 1; at < path.length; at++) {
      if (path[at]?.toLowerCase() !== term[index]) continue
      const step = index === 0 ? 0 : at === last + 1 ? 14 : -4
      best = Math.max(best, step + worth(at) + place(index + 1, at))
    }
    return best
  }
  const best = place(0, -1)
  return best === Number.NEGATIVE_INFINITY ? null : best - path.length / 8
}

test('scores what trying every placement scores', () => {
  const letters = fc.constantFrom('a', 'b', 'A', 'B', '/', '-', '1')
  fc.assert(
    fc.property(
      fc.string({ unit: letters, minLength: 1, maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('a', 'b', '/'), minLength: 1, maxLength: 4 }),
      (path, term) => {
        expect(createScorer(term)(path)).toBe(scoreByTrying(path, term))
      },
    ),
  )
})

test('the same as sorting everything', () => {
  const files = Array.from({ length: 3000 }, (_, index) => `dir${index % 37}/sub${index % 11}/file-${(index * 7919) % 3001}.ts`)
  const score = createScorer('d3file1')
  const all = files.flatMap(path => {
    const value = score(path)
    return value === null ? [] : [{ path, score: value }]
  })
  all.sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
  expect(suggestFiles(files, 'd3file1', 10)).toEqual(all.slice(0, 10))
})

describe('listing', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'belay-files-'))
    for (const path of ['a.ts', 'src/b.ts', 'src/deep/c.ts', 'ignored/d.ts', 'node_modules/e/f.js', 'with space/ü.md']) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), '')
    }
    writeFileSync(join(folder, '.gitignore'), 'ignored\nnode_modules\n')
    symlinkSync('..', join(folder, 'src', 'loop'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('a work tree of git: tracked and new files, nothing ignored, from the directory down', async () => {
    execFileSync('git', ['init', '-q'], { cwd: folder })
    expect([...(await listFiles(folder))].sort()).toEqual([
      '.gitignore',
      'a.ts',
      'src/b.ts',
      'src/deep/c.ts',
      'src/loop',
      'with space/ü.md',
    ])
    expect([...(await listFiles(join(folder, 'src')))].sort()).toEqual(['b.ts', 'deep/c.ts', 'loop'])
  })
  test('any other directory: near files first, no links, no packages', async () => {
    expect(await listFiles(folder)).toEqual(['.gitignore', 'a.ts', 'ignored/d.ts', 'src/b.ts', 'with space/ü.md', 'src/deep/c.ts'])
  })
  test('a directory that is not there', async () => expect(await listFiles(join(folder, 'none'))).toEqual([]))
  test('no time: nothing', () => expect(walkFiles(folder, 0)).toEqual([]))
})
