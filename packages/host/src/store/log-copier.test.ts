// Runs in a process of its own, where a thread can be started.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadDriver } from './driver/load-driver.ts'
import { bundleParts } from './fixtures/bundle-parts.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-copier-'))
const MEGABYTE = 1024 * 1024
const COMMITS = 400

beforeAll(() => bundleParts(folder, ['store/open-sqlite-store', 'store/copy-log.worker']))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Writes 100 MB without a pause. */
function writeMuch(name: string): { readonly threads: number; readonly logBytes: number } {
  const file = join(folder, name)
  const script = `import { statSync } from 'node:fs'
    import { openSqliteStore } from './open-sqlite-store.cjs'
    let threads = 0
    process.on('worker', () => threads++)
    const file = ${JSON.stringify(file)}
    const store = await openSqliteStore({ file })
    const statement = { sql: 'INSERT INTO meta VALUES (?, ?)' }
    let logBytes = 0
    for (let n = 0; n < ${COMMITS}; n++) {
      await store.commit([{ statement, parameters: [String(n), 'x'.repeat(256 * 1024)] }, { statement, parameters: ['and ' + n, ''] }])
      logBytes = Math.max(logBytes, statSync(file + '-wal').size)
      await new Promise(setImmediate)
    }
    await store.close()
    process.stdout.write(JSON.stringify({ threads, logBytes }))`
  writeFileSync(join(folder, 'run.mjs'), script)
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const { stdout, stderr, status } = spawnSync(process.execPath, ['run.mjs'], { cwd: folder, encoding: 'utf8', env })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return JSON.parse(stdout)
}

async function read(name: string, sql: string): Promise<unknown> {
  const connection = (await loadDriver())(join(folder, name), { readOnly: true })
  try {
    return connection.prepare(sql).rows([])[0]?.[0]
  } finally {
    connection.close()
  }
}

test('a writer that never rests has its log copied by a thread, the log starts over, and everything is there', async () => {
  const { threads, logBytes } = writeMuch('busy.db')
  expect(threads).toBe(1)
  // Half of what was written at the most: it started over at least once.
  expect(logBytes).toBeLessThan(50 * MEGABYTE)
  expect(await read('busy.db', 'PRAGMA integrity_check')).toBe('ok')
  expect(await read('busy.db', 'SELECT count(*) FROM meta')).toBe(2 * COMMITS)
})

test('killed while the log is copied, again and again: nothing acknowledged is lost', async () => {
  const file = join(folder, 'killed.db')
  const script = `import { openSqliteStore } from './open-sqlite-store.cjs'
    import { writeSync } from 'node:fs'
    // A thread is started by the one that writes, when it asks for a copy.
    process.on('worker', () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(process.argv[2])))
    const store = await openSqliteStore({ file: ${JSON.stringify(file)} })
    const statement = { sql: 'INSERT INTO meta VALUES (?, ?)' }
    for (let n = 0; ; n++) {
      await store.commit([{ statement, parameters: [process.argv[2] + ' ' + n, 'x'.repeat(256 * 1024)] }])
      writeSync(1, '.')
      await new Promise(setImmediate)
    }`
  writeFileSync(join(folder, 'endless.mjs'), script)
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  let acknowledged = 0
  for (const afterMs of [20, 60, 150]) {
    const writer = spawn(process.execPath, ['endless.mjs', String(afterMs)], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
    writer.stdout.on('data', (dots: Buffer) => {
      acknowledged += dots.length
    })
    const [, signal] = await once(writer, 'close')
    expect(signal).toBe('SIGKILL')
    expect(await read('killed.db', 'PRAGMA integrity_check')).toBe('ok')
    expect(await read('killed.db', 'SELECT count(*) FROM meta')).toBeGreaterThanOrEqual(acknowledged)
  }
})

test('a thread that dies is not missed', async () => {
  writeFileSync(join(folder, 'store', 'copy-log.worker.cjs'), "throw new Error('no such luck')")
  const { threads, logBytes } = writeMuch('alone.db')
  expect(threads).toBe(1)
  expect(logBytes).toBeLessThan(50 * MEGABYTE)
  expect(await read('alone.db', 'SELECT count(*) FROM meta')).toBe(2 * COMMITS)
})
