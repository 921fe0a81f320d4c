// Keys that are lost and databases that are replaced: the ledger goes on, and says that it is a new start.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkLedger } from '../doctor/check-ledger.ts'
import { type LocalLedger, openLedger } from './open-ledger.ts'
import { queryEntries } from './read-entry.ts'
import { verifyLedger } from './verify/verify-ledger.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'belay-new-start-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const draft = (n: number) => ({ actor: 'agent:a', session: null, kind: 'decision', policy: null, body: { n } })
const open = (onWarning?: (message: string) => void): Promise<LocalLedger> => openLedger({ home, ...(onWarning && { onWarning }) })

async function readKind(ledger: LocalLedger, kind: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [entry] = await queryEntries(ledger.store, { kind }, { limit: 1, newestFirst: true })
  return entry && JSON.parse(entry.body)
}

test.each([
  ['gone', (file: string) => rmSync(file)],
  ['damaged', (file: string) => writeFileSync(file, 'no key')],
])('a private key that is %s makes a new start that is recorded', async (_name, damage) => {
  const first = await open()
  await first.append(draft(1))
  await first.close()
  for (const name of readdirSync(join(home, 'keys'))) if (name.endsWith('.pem')) damage(join(home, 'keys', name))
  const second = await open()
  await second.append(draft(2))
  expect(await readKind(second, 'key_rotated')).toMatchObject({ reason: 'the private key is lost', unchecked: 0 })
  await second.close()
  expect(await verifyLedger({ file: join(home, 'belay.db'), keysDirectory: join(home, 'keys') })).toMatchObject({ ok: true, records: 3 })
})

test('a database that was removed is a new start that is recorded and told', async () => {
  const first = await open()
  await first.append(draft(1))
  await first.close()
  for (const end of ['', '-wal', '-shm']) rmSync(join(home, `belay.db${end}`), { force: true })
  const warnings: string[] = []
  const second = await open(message => warnings.push(message))
  expect(await readKind(second, 'ledger_started_anew')).toMatchObject({
    records: 1,
    before: expect.stringContaining('belay.local/ledger/'),
  })
  await second.close()
  expect(warnings.join()).toContain('there was another one with at least 1 records')
  expect(checkLedger(home)).toMatchObject([{ state: 'warn', message: expect.stringContaining('started anew') }, { state: 'note' }])
  const checkpointFiles = [join(home, 'checkpoint.note')]
  expect(await verifyLedger({ file: join(home, 'belay.db'), keysDirectory: join(home, 'keys'), checkpointFiles })).toMatchObject({
    ok: true,
  })
})
