import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPageFiles } from './page-files.ts'

test('after an upgrade under a running daemon the page is the new one, whole', () => {
  const folder = mkdtempSync(join(tmpdir(), 'belay-page-files-'))
  const build = (part: string, seconds: number) => {
    rmSync(join(folder, 'assets'), { recursive: true, force: true })
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'assets', part), part)
    writeFileSync(join(folder, 'index.html'), `<script src="/assets/${part}"></script>`)
    utimesSync(join(folder, 'index.html'), seconds, seconds)
  }
  build('old.js', 1000)
  const files = openPageFiles(folder)
  const text = (path: string) => files.get(path)?.plain.toString() ?? null
  expect(files.document()?.plain.toString()).toContain('old.js')
  expect(text('/assets/old.js')).toBe('old.js')
  build('new.js', 2000)
  expect(files.document()?.plain.toString()).toContain('new.js')
  expect([text('/assets/new.js'), text('/assets/old.js')]).toEqual(['new.js', null])
  rmSync(folder, { recursive: true })
  expect([text('/assets/other.js'), files.document()?.plain.toString()]).toEqual([null, '<script src="/assets/new.js"></script>'])
})
