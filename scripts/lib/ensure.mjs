// Installs and builds only what changed, so that the second `npm start` or `npm test` takes seconds. Uses nothing but Node.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const stamps = join(root, 'node_modules', '.belay')

export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32', ...options })
  if (result.error) throw result.error
  return result.status ?? 1
}

export function must(command, args, options) {
  const status = run(command, args, options)
  if (status !== 0) {
    console.error(`\n${command} ${args.join(' ')} ended with status ${status}`)
    process.exit(status)
  }
}

export function hashFiles(files) {
  const hash = createHash('sha256').update(process.version).update(process.platform).update(process.arch)
  for (const file of [...files].sort()) hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

export function listFiles(folder, keep = () => true) {
  if (!existsSync(folder)) return []
  if (statSync(folder).isFile()) return [folder]
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name === '.git') return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listFiles(path, keep)
    return entry.isFile() && keep(path) ? [path] : []
  })
}

export function readStamp(name) {
  const file = join(stamps, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

export function writeStamp(name, value) {
  mkdirSync(stamps, { recursive: true })
  writeFileSync(join(stamps, name), value)
}

/** `npm ci` when the lock file is not the one that was installed. */
export function ensureInstalled() {
  const packages = ['core', 'host', 'hub', 'dashboard'].map(name => `packages/${name}/package.json`)
  const manifests = ['package.json', 'package-lock.json', ...packages].map(file => join(root, file))
  const hash = hashFiles(manifests)
  if (readStamp('installed') === hash) return
  console.error('Installing packages (npm ci), about a minute ...')
  must('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  writeStamp('installed', hash)
}

/** Compiles and bundles when a source changed. */
export function ensureBuilt() {
  const sources = [
    // The licences are put there by the build.
    ...listFiles(join(root, 'packages'), path => !path.endsWith('.test.ts') && basename(path) !== 'LICENSE'),
    ...['tsconfig.base.json', 'package-lock.json', 'rolldown.config.mjs', 'scripts/build.mjs', 'scripts/write-code-cache.mjs'].map(file =>
      join(root, file),
    ),
  ]
  const hash = hashFiles(sources)
  if (
    readStamp('built') === hash &&
    existsSync(join(root, 'packages/host/dist/cli.cjs')) &&
    existsSync(join(root, 'packages/hub/dist/web'))
  )
    return
  console.error('Building, about half a minute ...')
  must(process.execPath, [join(root, 'scripts/build.mjs')])
  writeStamp('built', hash)
}
