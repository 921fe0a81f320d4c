// A hub of every version before this one is brought forward with what it holds: everything verifies, and machines go on where they were.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readKeyFile } from '../chain/hub-key.ts'
import { startPostgres, type TestPostgres } from '../fixtures/postgres.ts'
import { addMachine, addPerson, makeTestHub, runHub, type TestHub } from '../fixtures/test-hub.ts'
import { addEntries, call, type TestMachine, upload } from '../fixtures/test-machine.ts'
import { startHub } from '../http/start-hub.ts'
import { CURRENT_VERSION, findVersionProblem, migrate } from './migrate.ts'
import { type Database, openDatabase } from './open-database.ts'
import { createPartitions, dayOf } from './partition.ts'

/** In the order in which one refers to another. */
const TABLES = [
  ...['meta', 'person', 'machine', 'token', 'chain', 'tile', 'entry', 'act', 'finding', 'publisher', 'bundle', 'roll_out', 'pulse'],
  ...['approval', 'fleet', 'effort_owner'],
]

let postgres: TestPostgres
let made: TestHub
let machine: TestMachine
beforeAll(async () => {
  postgres = await startPostgres()
  made = await makeTestHub(postgres)
  const hub = await made.start()
  await addPerson(made.env, 'vic', 'viewer')
  machine = await addMachine(made.env, hub, 'a')
  addEntries(machine, 300)
  expect(await upload(hub.url, machine, { bodies: true })).toMatchObject({ status: 200 })
  const work = { agents: [{ agent: 'x' }], efforts: [{ id: 1, handOver: 'x' }] }
  expect(await call(hub.url, 'POST /v1/report', { policy: { seen: 0 }, counts: [], work }, machine.token)).toMatchObject({ status: 200 })
  await hub.stop()
})
afterAll(async () => {
  await made.close()
  await postgres.close()
})

/** What a hub of that version would hold of the same: of each table that it had, the columns that it had. */
async function copyTo(old: Database): Promise<void> {
  await createPartitions(old)(dayOf(Date.now()))
  for (const table of TABLES) {
    const columns = await sql<{ name: string }>`
      SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ${table}`.execute(old)
    if (columns.rows.length === 0) continue
    const names = sql.join(columns.rows.map(({ name }) => sql.ref(name)))
    const held = await sql<{ rows: unknown }>`SELECT coalesce(json_agg(t), '[]') AS rows FROM ${sql.table(table)} t`.execute(
      made.database.db,
    )
    const rows = JSON.stringify(held.rows[0]?.rows)
    await sql`INSERT INTO ${sql.table(table)} (${names}) OVERRIDING SYSTEM VALUE
      SELECT ${names} FROM json_populate_recordset(NULL::${sql.table(table)}, ${rows}::json)`.execute(old)
  }
  for (const table of ['chain', 'finding']) await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), 1000)`.execute(old)
}

test.each(Array.from({ length: CURRENT_VERSION - 1 }, (_, n) => n + 1))('from version %i', async version => {
  const url = await postgres.createDatabase()
  const opened = openDatabase(url)
  expect(await migrate(opened.db, version)).toBe(0)
  await copyTo(opened.db)
  expect(await findVersionProblem(opened.db)).toContain(`of version ${version} of ${CURRENT_VERSION}`)
  const env = { ...made.env, BELAY_HUB_DATABASE_URL: url }
  expect(await runHub(env, 'status')).toMatchObject({ code: 2, err: expect.stringContaining('belay-hub migrate') })
  expect(await runHub(env, 'migrate')).toMatchObject({ code: 0 })
  expect(await findVersionProblem(opened.db)).toBeUndefined()
  expect(await runHub(env, 'verify')).toMatchObject({ code: 0 })
  const config = { host: '127.0.0.1', port: 0, tlsCert: null, tlsKey: null, silentAfterMinutes: 60 }
  const hub = await startHub({ db: opened.db, signer: readKeyFile(made.keyFile), config, log: () => undefined })
  const grown = { ...machine, entries: [...machine.entries] }
  addEntries(grown, 20)
  expect(await upload(hub.url, grown)).toMatchObject({ status: 200, body: { seq: 320 } })
  expect(await addMachine(env, hub, 'b')).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{16}$/) })
  expect(await runHub(env, 'verify')).toMatchObject({ code: 0 })
  await hub.stop()
  await opened.close()
})
