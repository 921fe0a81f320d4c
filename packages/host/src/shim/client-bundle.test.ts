// What the client loads when nobody answers it: a guard, and no database.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('..', import.meta.url))
const core = join(source, '..', '..', 'core', 'src')

async function modulesOf(entry: string): Promise<readonly string[]> {
  const subpaths = ['policy', 'match', 'ledger', 'event', 'adapter', 'dialect'].map(name => [
    `@belay/core/${name}`,
    join(core, name, 'index.ts'),
  ])
  const bundle = await rolldown({
    input: join(source, entry),
    platform: 'node',
    external: [/^libsql($|\/)/, /^@libsql\//],
    resolve: { alias: { ...Object.fromEntries(subpaths), '@belay/core': join(core, 'index.ts') }, mainFields: ['module', 'main'] },
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'cjs' })
  return output.flatMap(chunk => (chunk.type === 'chunk' ? [...chunk.moduleIds, ...chunk.imports] : []))
}

const DATABASE = /\/host\/src\/store\/|node_modules\/(?:kysely|libsql|@libsql)\/|^libsql$|^node:sqlite$/

test.each(['shim/node-shim.ts', 'shim/judge-alone.ts', 'guard/load-guard.ts'])('%s loads no database', async entry => {
  const modules = await modulesOf(entry)
  expect(modules.some(id => id.endsWith(entry))).toBe(true)
  expect(modules.filter(id => DATABASE.test(id))).toEqual([])
})

test('the check finds one where there is one', async () => {
  expect((await modulesOf('daemon/open-engine.ts')).some(id => DATABASE.test(id))).toBe(true)
})
