// Runs vitest and counts what it ran.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, run } from './ensure.mjs'

export function runVitest(args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'belay-test-'))
  const report = join(folder, 'report.json')
  try {
    const status = run(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`, ...args],
      { env: { ...process.env, ...env } },
    )
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
    if (numPendingTests > 0) console.error(`${numPendingTests} tests were skipped: a skipped test counts as a failure here.`)
    const failures = numFailedTests + numPendingTests
    return { passes: numPassedTests, failures, status: status === 0 && (failures > 0 || numPassedTests === 0) ? 1 : status }
  } catch (error) {
    console.error(`vitest left no report: ${error.message}`)
    return { passes: 0, failures: 1, status: 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
