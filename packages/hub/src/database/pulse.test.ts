import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../fixtures/postgres.ts'
import { migrate } from './migrate.ts'
import { type OpenDatabase, openDatabase } from './open-database.ts'
import { createPulses, raisePulse } from './pulse.ts'

let postgres: TestPostgres
let database: OpenDatabase
beforeAll(async () => {
  postgres = await startPostgres()
  database = openDatabase(await postgres.createDatabase())
  await migrate(database.db)
})
afterAll(async () => {
  await database.close()
  await postgres.close()
})

test('what comes while a machine still looks for itself is heard, though the process has seen it for others', async () => {
  const pulses = createPulses(database.db, error => expect.unreachable(String(error)))
  const [other, machine] = [pulses.listen('other'), pulses.listen('m')]
  await raisePulse(database.db, 'm')
  await raisePulse(database.db, 'other')
  // The one query for all has seen both.
  await other.wait(60_000)
  const heard = await Promise.race([machine.wait(60_000).then(() => 'heard'), sleep(5000, 'missed')])
  expect(heard).toBe('heard')
  machine.end()
  other.end()
  await pulses.close()
})

test('nobody is woken for another machine, everybody for all, and nobody waits on a hub that ends', async () => {
  const pulses = createPulses(database.db, error => expect.unreachable(String(error)))
  const [one, two] = [pulses.listen('one'), pulses.listen('two')]
  await raisePulse(database.db, 'one')
  await one.wait(60_000)
  one.end()
  expect(await Promise.race([two.wait(60_000).then(() => 'heard'), sleep(500, 'asleep')])).toBe('asleep')
  const again = pulses.listen('one')
  await raisePulse(database.db, '')
  await Promise.all([again.wait(60_000), two.wait(60_000)])
  const last = pulses.listen('three')
  await pulses.close()
  await last.wait(60_000)
})
