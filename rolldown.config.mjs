import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig } from 'rolldown'

// What stays outside the bundle: native code.
const external = [/^libsql($|\/)/, /^@libsql\//]

// Run at the first call of one of their functions: they take long to set up, and few calls need them. They export functions only.
const LATE = /\/core\/dist\/(?:match\/regex|policy\/condition\/cel-environment)\.js$/

/** Threads and other processes need entry points of their own. */
const workers = readdirSync('packages/host/src', { recursive: true })
  .filter(path => path.endsWith('.worker.ts'))
  .map(path => [path.replace(/\.ts$/, ''), join('packages/host/src', path)])

export default defineConfig({
  input: { cli: 'packages/host/src/cli.ts', demo: 'packages/host/src/demo/demo.ts', ...Object.fromEntries(workers) },
  external,
  transform: { define: { BELAY_JUDGE_BUILD: JSON.stringify(judgeVersion()) } },
  platform: 'node',
  // jsonc-parser's `main` is a UMD file that cannot be bundled; its `module` can.
  resolve: { conditionNames: ['node', 'import', 'default'], mainFields: ['module', 'main'] },
  plugins: [
    { name: 'late', transform: importLate },
    { name: 'ascii', generateBundle: escapeText },
    { name: 'third-party-notices', writeBundle: writeNotices },
  ],
  output: {
    dir: 'packages/host/dist',
    // Node starts CommonJS sooner than modules, and only CommonJS can be given a code cache.
    format: 'cjs',
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunk/[name]-[hash].cjs',
    minify: true,
  },
})

/** Of everything that has a say in how a call is judged (policy/judge-version.ts). */
function judgeVersion() {
  const hash = createHash('sha256')
  for (const folder of ['value', 'verdict', 'match', 'policy', 'engine']) {
    const place = join('packages/core/src', folder)
    const files = readdirSync(place, { recursive: true }).filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    for (const file of files.sort()) hash.update(`${folder}/${file}\n`).update(readFileSync(join(place, file)))
  }
  return hash.digest('hex').slice(0, 12)
}

/** `import { f } from './late.js'` becomes a function that loads the module when it is called. */
function importLate(code, id) {
  if (!id.includes('/core/dist/')) return null
  return code.replace(/^import \{ ([^}]+) \} from '(\.[^']+)';$/gm, (whole, names, from) =>
    LATE.test(join(dirname(id), from))
      ? `let late; ${names
          .split(', ')
          .map(name => `const ${name} = (...args) => (late ??= require('${from}')).${name}(...args);`)
          .join(' ')}`
      : whole,
  )
}

/** V8 reads a text twice as fast when every character is one byte; one single other character makes all of them two. */
function escapeText(_options, bundle) {
  for (const chunk of Object.values(bundle)) {
    if (chunk.type === 'chunk')
      chunk.code = chunk.code.replace(/[^\0-\x7f]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  }
}

/** The licences of what is inside the bundle travel with it. */
function writeNotices(_options, bundle) {
  const names = new Set()
  for (const chunk of Object.values(bundle)) {
    for (const id of chunk.moduleIds ?? []) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]
      if (name !== undefined) names.add(name)
    }
  }
  const notices = [...names].sort().map(name => {
    const folder = join('node_modules', name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry))
    return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  writeFileSync('packages/host/dist/THIRD-PARTY-NOTICES.txt', notices.join(`\n${'-'.repeat(80)}\n\n`))
}
