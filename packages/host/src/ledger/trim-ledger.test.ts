import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportLines } from './fixtures/export-lines.ts'
import { openLedger } from './open-ledger.ts'
import { trimLedger } from './trim-ledger.ts'
import { verifyLedger } from './verify/verify-ledger.ts'

test('each trim is recorded, and one of rows alone takes nothing back of what an earlier one said about blobs', async () => {
  const home = mkdtempSync(join(tmpdir(), 'belay-trim-'))
  const ledger = await openLedger({ home })
  const body = { content: 'x'.repeat(5000) }
  await ledger.append({ actor: 'agent:a', session: null, kind: 'decision', policy: null, body }, { eventId: 'e1' })
  const trim = (bodiesDays: number | null, eventsDays: number | null) =>
    trimLedger(ledger, {
      retention: { bodiesDays, eventsDays, entriesDays: null },
      actor: 'human:ana',
      nowMs: Date.now() + 1000,
      dryRun: false,
    })
  expect(await trim(0, null)).toMatchObject({ beforeSeq: 2, blobs: 1, deliveries: 0 })
  expect(await trim(null, 0)).toMatchObject({ beforeSeq: null, blobs: 0, deliveries: 1 })
  // Nothing goes, so nothing is said.
  expect(await trim(0, 0)).toMatchObject({ blobs: 0, deliveries: 0 })
  await ledger.close()
  const file = join(home, 'belay.db')
  expect(await verifyLedger({ file })).toMatchObject({ ok: true, records: 3, blobs: { kept: 0, pruned: 1 } })
  writeFileSync(join(home, 'all.jsonl'), await exportLines(file))
  expect(await verifyLedger({ file: join(home, 'all.jsonl') })).toMatchObject({ ok: true, records: 3 })
  rmSync(home, { recursive: true })
})
