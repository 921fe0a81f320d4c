// Configurations as people have them: none makes lint fail, and what it finds has a code and a place.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LINT_CODES } from './finding.ts'
import { lintFile } from './lint-file.ts'

const folder = new URL('../../../../../../shared/corpus/configs/', import.meta.url)
const names = readdirSync(folder, { withFileTypes: true }).flatMap(entry => (entry.isFile() ? [entry.name] : []))

test('every configuration of the corpus can be linted', () => {
  expect(names.length).toBeGreaterThan(500)
  const codes = new Map<string, number>()
  for (const name of names) {
    const { findings } = lintFile(readFileSync(new URL(name, folder), 'utf8'), name, { prove: false })
    for (const { code, place, message } of findings) {
      expect([code in LINT_CODES, place.line > 0, message.length > 0]).toEqual([true, true, true])
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
  }
  expect(codes.size).toBeGreaterThan(2)
}, 600_000)
