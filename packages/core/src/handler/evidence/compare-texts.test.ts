// The diff of one hunk against what it is for: `git apply` makes the second text of the first.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { compareTexts } from './compare-texts.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-diff-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const long = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('')

test.each([
  ['a\n', 'b\n'],
  ['a\nb\nc\n', 'a\nx\ny\nc\n'],
  ['a\nb\n', 'a\n'],
  ['a\n', 'a\nb\n'],
  ['a', 'a\n'],
  ['a\n', 'a'],
  ['a\nb', 'a\nc'],
  ['x\nx\nx\n', 'x\nx\n'],
  [long, long.replace('line 9\n', '').replace('line 15', 'other')],
  [long, `first\n${long}`],
  [long, `${long}last`],
  ['a\r\nb\r\n', 'a\nb\n'],
])('%j to %j', (before, after) => {
  writeFileSync(join(folder, 'f'), before)
  writeFileSync(join(folder, 'p'), String(compareTexts({ old: 'a/f', new: 'b/f' }, before, after)))
  const { stderr } = spawnSync('git', ['apply', '--whitespace=nowarn', 'p'], { cwd: folder, encoding: 'utf8' })
  expect([stderr, readFileSync(join(folder, 'f'), 'utf8')]).toEqual(['', after])
})

test.each([
  ['', 'a\nb\n', '--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n'],
  ['a\nb\n', '', '--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n'],
])('a file that is new or gone: %j to %j', (before, after, diff) => {
  const names = { old: before === '' ? '/dev/null' : 'a/f', new: after === '' ? '/dev/null' : 'b/f' }
  expect(compareTexts(names, before, after)).toBe(diff)
})
