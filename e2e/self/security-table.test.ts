// The table of docs/security.md: every row says what holds an attack, and names tests that exist and that try what the row shows.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

const namesIn = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => (name ?? '').replaceAll('\\|', '|'))
const filesOf = (name: string): readonly string[] => files.filter(file => file.endsWith(`/${name}`))

test('every row has an attack, what holds it, what does not, and tests that exist, each under a name of its own', () => {
  expect(rows.length).toBeGreaterThan(60)
  for (const cells of rows) {
    const [attack = '', holds = '', , tests = ''] = cells
    const names = namesIn(tests).filter(name => !name.includes(' '))
    const missing = names.filter(name => filesOf(name).length !== 1)
    expect({ attack, cells: cells.length, isHeld: holds.trim() !== '', hasTests: names.length > 0, missing }).toEqual({
      ...{ attack, cells: 4, isHeld: true, hasTests: true, missing: [] },
    })
  }
})

/** A test with the fixtures that it reads, and theirs. */
function textOf(file: string, depth = 2): string {
  if (!existsSync(file)) return ''
  const text = readFileSync(file, 'utf8')
  const read = [...text.matchAll(/(?:from |URL\()'((?:\.\/)?(?:[\w.-]+\/)*fixtures\/[\w./-]+|\.\/[\w.-]+)'/g)].map(([, path]) => path ?? '')
  return depth === 0 ? text : [text, ...read.map(path => textOf(join(dirname(file), path), depth - 1))].join('\n')
}

test('the tests of a row try an attack that it shows', () => {
  const untried = rows.filter(([attack = '', , , tests = '']) => {
    const shown = namesIn(attack)
    const text = namesIn(tests)
      .flatMap(filesOf)
      .map(file => textOf(join(root, file)))
      .join('\n')
    const isTried = (example: string): boolean => {
      const words = example.match(/[\w.][\w.-]{2,}/g) ?? [example]
      return words.filter(word => text.includes(word)).length * 2 >= words.length
    }
    return shown.length > 0 && shown.filter(isTried).length * 2 < shown.length
  })
  expect(untried.map(([attack]) => attack)).toEqual([])
})
