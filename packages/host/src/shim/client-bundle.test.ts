// What the client loads when nobody answers it: a guard, and no database. Looked at in the bundle of the whole command, because a file that the
// daemon uses too lies there with all that the daemon needs of it.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OutputChunk, rolldown } from 'rolldown'
import { beforeAll, expect, test } from 'vitest'

const source = fileURLToPath(new URL('..', import.meta.url))
const core = join(source, '..', '..', 'core', 'src')
const DATABASE = /\/host\/src\/store\/|node_modules\/(?:kysely|libsql|@libsql)\/|^libsql$|^node:sqlite$/

let chunks: ReadonlyMap<string, OutputChunk>

beforeAll(async () => {
  const subpaths = ['value', 'policy', 'match', 'ledger', 'team', 'event', 'adapter', 'dialect'].map(name => [
    `@belay/core/${name}`,
    join(core, name, 'index.ts'),
  ])
  const bundle = await rolldown({
    input: join(source, 'cli.ts'),
    platform: 'node',
    external: [/^libsql($|\/)/, /^@libsql\//],
    resolve: { alias: { ...Object.fromEntries(subpaths), '@belay/core': join(core, 'index.ts') }, mainFields: ['module', 'main'] },
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'cjs' })
  chunks = new Map(output.flatMap(chunk => (chunk.type === 'chunk' ? [[chunk.fileName, chunk] as const] : [])))
})

/** Everything that is loaded before the first line of this file runs, what is imported later left out. */
function loadedWith(file: string): readonly string[] {
  const path = join(source, file)
  const first = [...chunks.values()].find(({ moduleIds }) => moduleIds.includes(path))
  expect(first).toBeDefined()
  const names = new Set(first === undefined ? [] : [first.fileName])
  for (const name of names) for (const other of chunks.get(name)?.imports ?? []) names.add(other)
  return [...names].flatMap(name => chunks.get(name)?.moduleIds ?? [name])
}

test.each(['shim/node-shim.ts', 'shim/answer-alone.ts', 'guard/load-guard.ts'])('%s loads no database', file => {
  expect(loadedWith(file).filter(id => DATABASE.test(id))).toEqual([])
})

test('the check finds one where there is one', () => {
  expect(loadedWith('daemon/open-engine.ts').some(id => DATABASE.test(id))).toBe(true)
})
