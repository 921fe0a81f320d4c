// Runs vitest, counts what it ran, and names what failed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root, run } from './ensure.mjs'

/** More failed files than these are no accident of a busy machine. */
const MAX_REPEATED_FILES = 5

/**
 * Files that failed run once more, alone. A test that passes only then is named as unsteady: it is a defect of the test, not of the change.
 * `apart`: among processes of their own, where what starts the tests counts as whoever started this machine. CI has no login and no terminal.
 */
export function runVitest(args, env = {}, { apart = false } = {}) {
  const first = runOnce(args, env, apart)
  const files = [...new Set(first.failed.map(({ file }) => file))]
  if (files.length === 0 || files.length > MAX_REPEATED_FILES) return finish(first, first.failed)
  console.error(`\nOnce more, alone: ${files.join(', ')}`)
  const second = runOnce(['--no-file-parallelism', ...files], env, apart)
  const broken = second.passes === 0 ? first.failed : second.failed
  const unsteady = first.failed.filter(({ file, title }) => !broken.some(each => each.file === file && each.title === title))
  for (const { file, title } of unsteady) console.error(`unsteady: ${file}: ${title}`)
  return finish({ ...first, passes: first.passes + unsteady.length, status: second.status }, broken)
}

function finish({ passes, skipped, status }, failed) {
  for (const { file, title } of failed) console.error(`failed: ${file}: ${title}`)
  if (skipped > 0) console.error(`${skipped} tests were skipped: a skipped test counts as a failure here.`)
  const failures = failed.length + skipped
  return { passes, failures, status: status === 0 && (failures > 0 || passes === 0) ? 1 : status }
}

function runOnce(args, env, apart) {
  const folder = mkdtempSync(join(tmpdir(), 'belay-test-'))
  const report = join(folder, 'report.json')
  try {
    const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
    const [program, ...words] = [...(apart ? namespace() : []), process.execPath, ...vitest, ...args]
    const status = run(program, words, { env: { ...ownEnvironment(), ...env } })
    const { numPassedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    return { passes: numPassedTests, skipped: numPendingTests, failed: testResults.flatMap(listFailed), status }
  } catch (error) {
    return { passes: 0, skipped: 0, failed: [{ file: 'vitest', title: `left no report: ${error.message}` }], status: 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What runs tests has built before. A file of certificates costs every Node start about 50 ms; npm alone needs it. */
function ownEnvironment() {
  const { NODE_EXTRA_CA_CERTS: certificates, ...rest } = process.env
  return { ...rest, BELAY_IS_BUILT: '1', ...(certificates && { npm_config_cafile: certificates }) }
}

/** A file that cannot be loaded has no tests, and fails as a whole. */
function listFailed({ name, status, assertionResults }) {
  const file = relative(root, name)
  const failed = assertionResults.filter(each => each.status === 'failed').map(({ fullName }) => ({ file, title: fullName }))
  return failed.length === 0 && status === 'failed' ? [{ file, title: 'the file itself' }] : failed
}

/** A shell comes first in it: it collects the processes that lose their parents. Empty: there is none to be had here. */
function namespace() {
  const unshare = [
    'unshare',
    ...(process.getuid?.() === 0 ? [] : ['--user', '--map-current-user']),
    '--pid',
    '--fork',
    '--mount',
    '--mount-proc',
  ]
  const [program, ...words] = [...unshare, '--kill-child']
  return spawnSync(program, [...words, 'true']).status === 0 ? [program, ...words, 'sh', '-c', '"$@"; exit $?', 'sh'] : []
}
