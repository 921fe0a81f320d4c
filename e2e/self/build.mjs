// Packages to attack: the built one as it is, and one for each protection in which the test has taken that protection out of the sources.
// A text that is to be replaced and does not occur is a failure: the protection has moved, and nobody would show that its attack can work.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HOST = join(ROOT, 'packages', 'host')
const CORE = join(ROOT, 'packages', 'core', 'src')

/** As npm leaves it: folder/node_modules/@belay/host. */
export async function makePackage(folder, patch) {
  const place = join(folder, 'node_modules', '@belay', 'host')
  mkdirSync(place, { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.') && name !== '@belay') symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  for (const name of ['bin', 'native', 'package.json']) cpSync(join(HOST, name), join(place, name), { recursive: true })
  mkdirSync(join(folder, 'node_modules', '.bin'))
  for (const name of ['belay', 'mentu']) symlinkSync('../@belay/host/bin/belay.cjs', join(folder, 'node_modules', '.bin', name))
  if (patch === null) cpSync(join(HOST, 'dist'), join(place, 'dist'), { recursive: true })
  else await buildPatched(place, patch)
}

async function buildPatched(place, edits) {
  const used = new Set()
  for (const edit of edits.filter(({ file }) => /^packages\/host\/(?:native|bin)\//.test(file))) {
    const target = join(place, file(edit))
    writeFileSync(target, apply(edit, readFileSync(target, 'utf8')))
    used.add(edit)
  }
  const subpaths = ['policy', 'match', 'ledger', 'event', 'adapter'].map(name => [`@belay/core/${name}`, join(CORE, name, 'index.ts')])
  const workers = readdirSync(join(HOST, 'src'), { recursive: true }).filter(path => path.endsWith('.worker.ts'))
  const bundle = await rolldown({
    input: {
      cli: join(HOST, 'src', 'cli.ts'),
      ...Object.fromEntries(workers.map(path => [path.replace(/\.ts$/, ''), join(HOST, 'src', path)])),
    },
    platform: 'node',
    external: [/^libsql($|\/)/, /^@libsql\//],
    resolve: { alias: { ...Object.fromEntries(subpaths), '@belay/core': join(CORE, 'index.ts') }, mainFields: ['module', 'main'] },
    logLevel: 'silent',
    plugins: [{ name: 'patch', transform: (code, id) => transform(code, id, edits, used) }],
  })
  const names = { entryFileNames: '[name].cjs', chunkFileNames: 'chunk/[name]-[hash].cjs' }
  await bundle.write({ dir: join(place, 'dist'), format: 'cjs', dynamicImportInCjs: false, ...names })
  const unused = edits.filter(edit => !used.has(edit))
  if (unused.length > 0) throw new Error(`not part of the package: ${unused.map(edit => edit.file).join(', ')}`)
}

const file = edit => edit.file.slice('packages/host/'.length)

function transform(code, id, edits, used) {
  const mine = edits.filter(edit => id === join(ROOT, edit.file))
  if (mine.length === 0) return null
  for (const edit of mine) used.add(edit)
  return { code: mine.reduce((text, edit) => apply(edit, text), code), map: null }
}

function apply({ file, find, put }, text) {
  const at = text.indexOf(find)
  if (at < 0) throw new Error(`${file} does not say: ${find}`)
  return text.slice(0, at) + put + text.slice(at + find.length)
}
