// Runs in a process of its own, where threads can be started.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadDriver } from '../../store/driver/load-driver.ts'
import { bundleParts } from '../../store/fixtures/bundle-parts.ts'
import { locateLedger } from '../ledger-files.ts'
import { openLedger } from '../open-ledger.ts'
import { verifyLedger } from './verify-ledger.ts'

const temp = mkdtempSync(join(tmpdir(), 'belay-workers-'))
const files = locateLedger(join(temp, 'home'))
const ROWS = 10_000

beforeAll(async () => {
  await bundleParts(temp, ['ledger/verify/verify-ledger', 'ledger/verify/verify.worker'])
  const script = `import verify from './verify-ledger.cjs'
    let started = 0
    process.on('worker', () => started++)
    const report = await verify.verifyLedger({ file: ${JSON.stringify(files.database)}, keysDirectory: ${JSON.stringify(files.keys)}, workers: 2 })
    process.stdout.write(JSON.stringify({ report, started }))`
  writeFileSync(join(temp, 'run.mjs'), script)
  const ledger = await openLedger({ home: join(temp, 'home'), sealEveryRecords: 700 })
  const draft = { actor: 'agent:x', session: null, kind: 'decision', policy: null, body: { text: 'word' } }
  for (let n = 0; n < ROWS; n += 500) await Promise.all(Array.from({ length: 500 }, () => ledger.append(draft)))
  await ledger.close()
})

afterAll(() => rmSync(temp, { recursive: true, force: true }))

function verifyWithWorkers(): unknown {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const { stdout, stderr } = spawnSync(process.execPath, ['run.mjs'], { cwd: temp, encoding: 'utf8', env })
  expect(stderr).toBe('')
  const { report, started } = JSON.parse(stdout)
  expect(started).toBe(2)
  return report
}

test('threads find what one thread finds: nothing, or the same row', async () => {
  const check = () => verifyLedger({ file: files.database, keysDirectory: files.keys, workers: 0 })
  const good = await check()
  expect(good).toMatchObject({ ok: true, records: ROWS })
  expect(verifyWithWorkers()).toEqual(good)

  const connection = (await loadDriver())(files.database, { readOnly: false })
  const trigger = connection.prepare("SELECT sql FROM sqlite_schema WHERE name = 'ledger_stays'").rows([])[0]?.[0]
  connection.exec('DROP TRIGGER ledger_stays')
  connection.exec("UPDATE ledger SET actor = 'agent:y' WHERE seq IN (5000, 9000)")
  connection.exec(String(trigger))
  connection.close()
  const bad = await check()
  expect(bad).toMatchObject({ ok: false, firstBad: 5000 })
  expect(verifyWithWorkers()).toEqual(bad)
})
