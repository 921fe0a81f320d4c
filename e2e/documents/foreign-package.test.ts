// Nobody is sent to a package of somebody else: outside of a clone `npx belay` is one, ours is `npx @belay/host`.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const repo = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const PLACES = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'docs', 'examples', 'policies', 'scripts']
const SOURCES = ['packages/core/src', 'packages/host/src', 'packages/host/bin', 'packages/host/native', 'packages/dashboard/src']

function listFiles(place: string): readonly string[] {
  if (!statSync(place).isDirectory()) return [place]
  return readdirSync(place).flatMap(name => listFiles(join(place, name)))
}

test('nowhere is `npx belay`', () => {
  const files = [...PLACES, ...SOURCES].flatMap(place => listFiles(join(repo, place)))
  // Tests and tables of attacks name it as something to judge.
  const own = files.filter(file => !/\.test\.ts$|\/fixtures\/|\.png$/.test(file))
  const found = own.filter(file => /npx (?:-y |--yes )?(?:belay|mentu)\b/.test(readFileSync(file, 'utf8')))
  expect(own.length).toBeGreaterThan(500)
  expect(found.map(file => relative(repo, file))).toEqual([])
})

test('README says how to get the command', () => {
  const readme = readFileSync(join(repo, 'README.md'), 'utf8')
  expect(readme.split('\n').slice(0, 12).join('\n')).toMatch(/npm install -g @belay\/host[\s\S]*npx @belay\/host init[\s\S]*belay why/)
})
