// npm test: installs, builds, runs every test that needs only Node, git and npm. When nothing changed since the last full
// pass it says so instead of running again; `--force` and CI always run. Other arguments go to vitest.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, hashFiles, readStamp, root, writeStamp } from './lib/ensure.mjs'
import { runVitest } from './lib/vitest.mjs'

const args = process.argv.slice(2)
const force = args.includes('--force') || process.env.CI === 'true'
const filters = args.filter(arg => arg !== '--force')

ensureInstalled()
ensureBuilt()

const fingerprint = hashFiles(projectFiles())
const passed = readStamp('tested')
if (!force && filters.length === 0 && passed?.startsWith(`${fingerprint} `)) {
  console.log(`Nothing changed since the last full pass (npm test -- --force runs it again).\n${passed.slice(fingerprint.length + 1)}`)
  process.exit(0)
}

const { passes, failures, status } = runVitest(filters)
const summary = `${passes} passed, ${failures} failed`
if (status === 0 && filters.length === 0) writeStamp('tested', `${fingerprint} ${summary}`)
console.log(summary)
process.exit(status)

function projectFiles() {
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z', '--deduplicate'], { cwd: root, encoding: 'utf8' })
  const removed = new Set(spawnSync('git', ['ls-files', '-d', '-z'], { cwd: root, encoding: 'utf8' }).stdout.split('\0'))
  return listed.stdout
    .split('\0')
    .filter(file => file !== '' && !removed.has(file))
    .map(file => join(root, file))
}
