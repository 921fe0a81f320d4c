// Packages to attack: the built one as it is, and one for each protection in which the test has taken that protection out of the sources.
// A text that is to be replaced and does not occur, or not only there, is a failure: the protection has moved, and nobody would show that its
// attack can work.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** As npm leaves it: folder/node_modules/@belay/host. `patch`: null takes what is built; `root`: where the sources are. */
export async function makePackage(folder, patch, root = ROOT) {
  const host = join(root, 'packages', 'host')
  const place = join(folder, 'node_modules', '@belay', 'host')
  mkdirSync(place, { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.') && name !== '@belay') symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  for (const name of ['bin', 'native', 'package.json']) cpSync(join(host, name), join(place, name), { recursive: true })
  mkdirSync(join(folder, 'node_modules', '.bin'))
  for (const name of ['belay', 'mentu']) symlinkSync('../@belay/host/bin/belay.cjs', join(folder, 'node_modules', '.bin', name))
  if (patch === null) cpSync(join(host, 'dist'), join(place, 'dist'), { recursive: true })
  else await buildPatched(place, patch, root)
}

async function buildPatched(place, edits, root) {
  const [host, core] = ['host', 'core'].map(name => join(root, 'packages', name))
  const used = new Set()
  for (const edit of edits.filter(({ file }) => /^packages\/host\/(?:native|bin)\//.test(file))) {
    const target = join(place, file(edit))
    writeFileSync(target, apply(edit, readFileSync(target, 'utf8')))
    used.add(edit)
  }
  const { exports } = JSON.parse(readFileSync(join(core, 'package.json'), 'utf8'))
  const sourceOf = built => join(core, built.replace('/dist/', '/src/').replace(/\.js$/, '.ts'))
  const parts = Object.entries(exports).map(([name, files]) => [`@belay/core${name.slice(1)}`, sourceOf(files.default)])
  const workers = readdirSync(join(host, 'src'), { recursive: true }).filter(path => path.endsWith('.worker.ts'))
  const bundle = await rolldown({
    input: {
      cli: join(host, 'src', 'cli.ts'),
      ...Object.fromEntries(workers.map(path => [path.replace(/\.ts$/, ''), join(host, 'src', path)])),
    },
    platform: 'node',
    external: [/^libsql($|\/)/, /^@libsql\//],
    resolve: { alias: Object.fromEntries(parts.reverse()), mainFields: ['module', 'main'] },
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
  if (text.includes(find, at + 1)) throw new Error(`${file} says more than once: ${find}`)
  return text.slice(0, at) + put + text.slice(at + find.length)
}
