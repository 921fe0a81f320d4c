// Runs in a process of its own, where a real thread can be started.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleParts } from '../../store/fixtures/bundle-parts.ts'
import { locateLedger } from '../ledger-files.ts'
import { verifyLedger } from '../verify/verify-ledger.ts'

const temp = mkdtempSync(join(tmpdir(), 'belay-ledger-thread-'))

beforeAll(() => bundleParts(temp, ['ledger/thread/open-ledger-thread', 'ledger/thread/ledger.worker']))

afterAll(() => rmSync(temp, { recursive: true, force: true }))

/** Runs a script that may use `open` and `append`, and gives back what it told. */
function run(home: string, script: string): unknown {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const text = `import { openLedgerThread } from './open-ledger-thread.cjs'
    const told = []
    const tell = what => told.push(what)
    const threads = []
    process.on('worker', thread => threads.push(thread))
    const open = () => openLedgerThread({ home: ${JSON.stringify(home)}, lockWaitMs: 0, onWarning: tell, onDeath: error => tell(error.message) })
    const append = (ledger, n, options) =>
      ledger.append({ actor: 'agent:x', session: 's', kind: 'note', policy: null, body: { n } }, options)
    const appendText = (ledger, n) =>
      new Promise(done => ledger.appendText({ actor: 'agent:x', session: 's', kind: 'note', policy: null, body: JSON.stringify({ n }), eventId: null, seal: false, wants: 'text' }, done))
    const nextTurn = () => new Promise(resolve => setTimeout(resolve, 200))
    ${script}
    process.stdout.write(JSON.stringify(told))`
  writeFileSync(join(temp, 'run.mjs'), text)
  const { stdout, stderr, status } = spawnSync(process.execPath, ['run.mjs'], { cwd: temp, encoding: 'utf8', env })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return JSON.parse(stdout)
}

test('everything is written by another thread, and what is acknowledged is on disk', async () => {
  const home = join(temp, 'good')
  const told = run(
    home,
    `const ledger = await open()
    tell(threads.length)
    const entries = await Promise.all(Array.from({ length: 3000 }, (_, n) => (n % 3 === 0 ? appendText : append)(ledger, n)))
    const bodyOf = ({ body, text }) => body ?? JSON.stringify(JSON.parse(text).body)
    tell(entries.every((entry, n) => entry.seq === n + 1 && bodyOf(entry) === JSON.stringify({ n })))
    tell(await ledger.store.transact(async tx => (await tx.selectFrom('ledger').select('seq').execute()).length))
    await ledger.close()`,
  )
  expect(told).toEqual([1, true, 3000])
  const { database: file, keys: keysDirectory, checkpoint } = locateLedger(home)
  expect(await verifyLedger({ file, keysDirectory, checkpointFiles: [checkpoint] })).toMatchObject({ ok: true, records: 3000, unsealed: 0 })
})

test('a thread that dies is told of; what it had not answered fails, as does all that comes later, and nothing hangs', async () => {
  const home = join(temp, 'dead')
  const told = run(
    home,
    `const ledger = await open()
    await append(ledger, 1)
    threads[0].postMessage(7)
    for (const n of [2, 3]) {
      await append(ledger, n).then(() => tell('written'), error => tell(error.code))
      await nextTurn()
    }
    await ledger.close().catch(error => tell(error.message))`,
  )
  expect(told).toEqual([
    expect.stringMatching(/^the thread that writes .*belay\.db ended: .*not iterable/),
    'BELAY_STORE_IO',
    'BELAY_STORE_IO',
    expect.stringContaining('is written no more'),
  ])
  const { database: file, keys: keysDirectory } = locateLedger(home)
  expect(await verifyLedger({ file, keysDirectory })).toMatchObject({ ok: true, records: 1 })
})

test('a second writer is refused as without a thread', () => {
  const told = run(
    join(temp, 'second'),
    `const ledger = await open()
    await open().catch(error => tell([error.code, error.message.includes('is being written by process')]))
    await ledger.close()`,
  )
  expect(told).toEqual([['BELAY_STORE_LOCKED', true]])
})
