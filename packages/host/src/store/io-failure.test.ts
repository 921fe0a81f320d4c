// The disk fails at every single write there is, before it was done or just after. Whatever was acknowledged is there; whatever was
// refused can be sent again and is there once.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entry } from '@belay/core/ledger'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { locateLedger } from '../ledger/ledger-files.ts'
import { openLedger } from '../ledger/open-ledger.ts'
import { verifyLedger } from '../ledger/verify/verify-ledger.ts'
import type { Driver } from './driver/driver.ts'
import { loadDriver } from './driver/load-driver.ts'
import { StoreError } from './store-error.ts'

const temp = mkdtempSync(join(tmpdir(), 'belay-io-'))
let driver: Driver
beforeAll(async () => {
  driver = await loadDriver()
})
afterAll(() => rmSync(temp, { recursive: true }))

interface Failure {
  /** Which write, counted from when it is armed. */
  readonly at: number
  /** How many in a row. */
  readonly times: number
  readonly code: 'SQLITE_FULL' | 'SQLITE_IOERR_WRITE' | 'SQLITE_IOERR_FSYNC'
  /** `after`: it was written all the same, and nobody can know. */
  readonly when: 'before' | 'after'
}

function failAt(failure: Failure): { driver: Driver; arm(): void; hits(): number } {
  let writes = Number.NaN
  let hits = 0
  const guard = <T>(write: () => T): T => {
    writes++
    const isHit = writes >= failure.at && writes < failure.at + failure.times
    if (!isHit) return write()
    hits++
    if (failure.when === 'after') write()
    throw Object.assign(new Error(failure.code === 'SQLITE_FULL' ? 'database or disk is full' : 'disk I/O error'), { code: failure.code })
  }
  const failing: Driver = (file, options) => {
    const connection = driver(file, options)
    if (options.readOnly) return connection
    return {
      exec: sql => guard(() => connection.exec(sql)),
      prepare: sql => {
        const statement = connection.prepare(sql)
        return { ...statement, run: parameters => guard(() => statement.run(parameters)) }
      },
      close: () => connection.close(),
    }
  }
  const arm = () => {
    writes = 0
  }
  return { driver: failing, arm, hits: () => hits }
}

const failures: Failure[] = []
for (let at = 1; at <= 16; at++) {
  failures.push({ at, times: 1, code: 'SQLITE_IOERR_WRITE', when: 'before' }, { at, times: 1, code: 'SQLITE_IOERR_FSYNC', when: 'after' })
  if (at % 3 === 0) failures.push({ at, times: 7, code: 'SQLITE_FULL', when: 'before' })
}

test.each(failures)('write $at fails $times times with $code, $when it is done', async failure => {
  const home = mkdtempSync(join(temp, 'home-'))
  const fault = failAt(failure)
  const ledger = await openLedger({ home, driver: fault.driver, sealEveryRecords: 2 })
  const acknowledged = new Map<string, Entry>()
  const refused: unknown[] = []
  const send = async (eventId: string): Promise<void> => {
    const draft = { actor: 'agent:x', session: null, kind: 'decision', policy: null, body: { eventId } }
    for (;;) {
      try {
        acknowledged.set(eventId, await ledger.append(draft, { eventId }))
        return
      } catch (error) {
        refused.push(error)
      }
    }
  }
  fault.arm()
  for (let batch = 0; batch < 3; batch++) await Promise.all([0, 1, 2].map(n => send(`event-${batch}-${n}`)))
  await ledger.close()

  expect(fault.hits()).toBe(failure.times)
  expect(refused.length).toBeGreaterThan(0)
  for (const error of refused) {
    expect(error).toBeInstanceOf(StoreError)
    expect((error as StoreError).code).toBe(failure.code === 'SQLITE_FULL' ? 'BELAY_STORE_FULL' : 'BELAY_STORE_IO')
  }
  const files = locateLedger(home)
  const report = await verifyLedger({ file: files.database, keysDirectory: files.keys, checkpointFiles: [files.checkpoint] })
  expect({ faults: report.faults, records: report.records, unsealed: report.unsealed }).toEqual({ faults: [], records: 9, unsealed: 0 })
  expect([...acknowledged.values()].map(entry => entry.seq).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
})
