// A real full disk: a small tmpfs. Needs the right to mount.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { locateLedger } from '../ledger/ledger-files.ts'
import { type Ledger, openLedger } from '../ledger/open-ledger.ts'
import { openLedgerThread } from '../ledger/thread/open-ledger-thread.ts'
import { verifyLedger } from '../ledger/verify/verify-ledger.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'belay-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder])
})
afterEach(() => {
  execFileSync('umount', ['-l', folder])
  rmSync(folder, { recursive: true })
})

const draft = (n: number) => ({ actor: 'agent:x', session: null, kind: 'decision', policy: null, body: { n, text: 'x'.repeat(1000) } })

const WAYS: Readonly<Record<string, () => Promise<Ledger>>> = {
  'on this thread': () => openLedger({ home: folder }),
  'behind its thread': () => openLedgerThread({ home: folder, onWarning: () => undefined, onDeath: console.error }),
}

test.each(Object.entries(WAYS))(
  '%s: a full disk is reported, nothing acknowledged is lost, and work goes on when there is space',
  async (_, open) => {
    const ballast = join(folder, 'ballast')
    const files = locateLedger(folder)
    writeFileSync(ballast, Buffer.alloc(1024 * 1024))
    const ledger = await open()
    const acknowledged = new Set<string>()
    const failures: unknown[] = []
    const send = (n: number): Promise<unknown> =>
      ledger.append(draft(n), { eventId: `e${n}` }).then(
        () => acknowledged.add(`e${n}`),
        error => failures.push(error),
      )
    // Giving up the failed connection may free its log and make room for a few more.
    let sent = 0
    while (failures.length < 20 && sent < 10_000) await send(sent++)
    expect(failures).toHaveLength(20)
    for (const failure of failures) {
      expect(failure).toMatchObject({ code: 'BELAY_STORE_FULL', message: expect.stringContaining('the disk is full') })
    }
    rmSync(ballast)
    for (let n = 0; n < sent; n++) await send(n)
    expect([failures.length, acknowledged.size]).toEqual([20, sent])
    await ledger.close()
    const report = await verifyLedger({ file: files.database, keysDirectory: files.keys, checkpointFiles: [files.checkpoint] })
    expect(report).toMatchObject({ ok: true, records: sent, unsealed: 0 })
  },
)
