// The name of Belay in a text must work where it is read.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBelay } from './find-belay.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'belay-find-'))
  for (const place of ['bin', 'a b/node_modules/@belay/host/bin', 'empty']) mkdirSync(join(folder, place), { recursive: true })
  writeFileSync(join(folder, 'bin/belay'), '', { mode: 0o755 })
  writeFileSync(join(folder, 'a b/node_modules/@belay/host/package.json'), '{}')
  writeFileSync(join(folder, 'a b/node_modules/@belay/host/bin/belay.cjs'), '', { mode: 0o755 })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('by name where it is on the PATH', () => expect(findBelay(`${folder}/empty:${folder}/bin`, [])).toBe('belay'))
test('by its place where the package lies above', () =>
  expect(findBelay(`${folder}/empty`, [join(folder, 'empty'), join(folder, 'a b')])).toBe(
    `'${join(folder, 'a b/node_modules/@belay/host/bin/belay.cjs')}'`,
  ))
test('by npx where it is nowhere', () => expect(findBelay(undefined, [join(folder, 'empty')])).toBe('npx @belay/host'))
