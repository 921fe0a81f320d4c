// The table of docs/security.md: every row says what holds an attack, and names tests that exist.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = ['packages/core/src', 'packages/host/src', 'e2e'].flatMap(folder =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map(name => `/${folder}/${name}`),
)
const rows = readFileSync(`${root}docs/security.md`, 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| ') && !line.startsWith('| attack |'))
  .map(line => line.split(/(?<!\\)\|/).slice(1, -1))

test('every row has an attack, what holds it, what does not, and tests that exist', () => {
  expect(rows.length).toBeGreaterThan(60)
  for (const cells of rows) {
    const [attack = '', holds = '', , tests = ''] = cells
    const names = [...tests.matchAll(/`([^` ]+)`/g)].map(([, name]) => name ?? '')
    const missing = names.filter(name => !files.some(file => file.endsWith(`/${name}`)))
    expect({ attack, cells: cells.length, isHeld: holds.trim() !== '', hasTests: names.length > 0, missing }).toEqual({
      ...{ attack, cells: 4, isHeld: true, hasTests: true, missing: [] },
    })
  }
})
