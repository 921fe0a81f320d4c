// Policies of a team at the hub: who may publish, what machines are told, what is stopped and what is named. Real HTTP, a real PostgreSQL.
import { rmSync, writeFileSync } from 'node:fs'

import { join as joinPath } from 'node:path'
import { formatNoteKey, type NoteSigner } from '@belay/core/ledger'
import { endorsePublisher, type NewBundle, parseBundle, shareOf } from '@belay/core/team'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Manifest, makeBundle, makeSigner } from '../../core/src/team/fixtures/make-bundle.ts'
import { readKeyFile } from './chain/hub-key.ts'
import type { OpenDatabase } from './database/open-database.ts'
import { startPostgres, type TestPostgres } from './fixtures/postgres.ts'
import { addMachine, addPerson, makeTestHub, runHub, type TestHub } from './fixtures/test-hub.ts'
import { call, type TestMachine, upload } from './fixtures/test-machine.ts'
import type { Hub } from './http/start-hub.ts'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())

let made: TestHub
let folder: string
let env: NodeJS.ProcessEnv
let database: OpenDatabase
let hub: Hub
let root: NoteSigner
let signer: NoteSigner
let endorsement: string
let tokens: Record<string, string>
let last: { version: number; hash: string } | null

beforeEach(async () => {
  made = await makeTestHub(postgres)
  ;({ folder, env, database } = made)
  tokens = { ana: made.adminToken }
  hub = await made.start()
  root = readKeyFile(joinPath(folder, 'belay-root.key'))
  signer = makeSigner('belay.publisher/pia')
  for (const [name, role] of [
    ['pia', 'publisher'],
    ['vic', 'viewer'],
    ['abe', 'approver'],
  ] as const)
    tokens[name] = await addPerson(env, name, role)
  expect(await belayHub('publisher', 'add', 'pia', formatNoteKey(signer))).toMatchObject({ code: 0 })
  const { publishers } = (await call(hub.url, 'GET /v1/publishers', undefined, tokens.pia)).body as {
    publishers: { endorsement: string }[]
  }
  endorsement = publishers[0]?.endorsement ?? ''
  last = null
})
afterEach(async () => {
  await hub.stop()
  await made.close()
})

const belayHub = (...argv: readonly string[]) => runHub(env, ...argv)

/** Behind the last one that was published. */
function makeNext(manifest: Manifest = {}, more: Partial<NewBundle> = {}): string {
  const order = { version: (last?.version ?? 0) + 1, previous: last?.hash ?? null }
  return makeBundle({ ...order, ...manifest }, { files: { 'genesis.key': 'version: "2.0"\n' }, signer, endorsement, ...more })
}

async function publish(text: string, token = tokens.pia) {
  const reply = await call(hub.url, 'POST /v1/bundles', { bundle: text }, token)
  const bundle = parseBundle(text)
  if (reply.status === 200 && typeof bundle !== 'string') last = { version: bundle.manifest.version, hash: bundle.hash }
  return reply
}

const joined = (name?: string): Promise<TestMachine> => addMachine(env, hub, name)

/** Of approvals, which have tests of their own. */
const NOTHING_NEW = { decisions: [], taken: [], isWatched: false }

const wait = async (machine: TestMachine, seen: number, waitMs = 0) =>
  (await call(hub.url, 'POST /v1/wait', { seen, halted: [], waitMs }, machine.token)).body as {
    bundles: string[]
    halted: { version: number }[]
  }
const report = (machine: TestMachine, policy: object, counts: object[] = []) =>
  call(hub.url, 'POST /v1/report', { policy, counts }, machine.token)
const problems = async () =>
  JSON.parse((await belayHub('verify', '--json')).out).machines.flatMap((m: { name: string; problems: { kind: string }[] }) =>
    m.problems.map(({ kind }) => `${m.name}: ${kind}`),
  )
const acts = async () =>
  (await database.db.selectFrom('act').select(['kind', 'actor']).orderBy('seq').execute()).map(({ kind, actor }) => `${actor} ${kind}`)

test('a publisher publishes, machines get it in order, and a machine that waits hears of it at once', async () => {
  const machine = await joined()
  expect(await wait(machine, 0)).toEqual({ ...NOTHING_NEW, bundles: [], halted: [] })
  const waiting = wait(machine, 0, 15_000)
  const first = makeNext()
  expect(await publish(first)).toMatchObject({ status: 200, body: { version: 1 } })
  expect(await waiting).toEqual({ ...NOTHING_NEW, bundles: [first], halted: [] })
  const second = makeNext({ note: 'x' })
  expect(await publish(second)).toMatchObject({ status: 200, body: { version: 2 } })
  expect((await wait(machine, 0)).bundles).toEqual([first, second])
  expect((await wait(machine, 1)).bundles).toEqual([second])
  expect(await acts()).toEqual(expect.arrayContaining(['person:pia bundle_published']))
  expect(await call(hub.url, 'GET /v1/bundle?version=1', undefined, tokens.vic)).toMatchObject({ status: 200, body: { text: first } })
})

test.each<[string, () => [text: string, token: string | undefined], number, string]>([
  ['a viewer', () => [makeNext(), tokens.vic], 403, 'role publisher'],
  ['an approver', () => [makeNext(), tokens.abe], 403, 'role publisher'],
  ['nobody', () => [makeNext(), undefined], 401, 'token'],
  ['somebody else with the bundle of a publisher', () => [makeNext(), tokens.ana], 403, 'signed by pia, and sent by ana'],
  [
    'a key that nobody endorsed',
    () => {
      const other = makeSigner('belay.publisher/eve')
      const until = new Date(Date.now() + 1000).toISOString()
      return [makeNext({}, { signer: other, endorsement: endorsePublisher({ person: 'pia', key: other, until }, other) }), tokens.pia]
    },
    403,
    'not endorsed',
  ],
  [
    'the key of the hub itself',
    () => [makeNext({}, { signer: readKeyFile(joinPath(folder, 'belay-hub.key')) }), tokens.pia],
    403,
    'not signed by pia',
  ],
  [
    'an endorsement that is over',
    () => {
      const until = new Date(Date.now() - 1000).toISOString()
      return [makeNext({}, { endorsement: endorsePublisher({ person: 'pia', key: signer, until }, root) }), tokens.pia]
    },
    403,
    'ended',
  ],
  ['a bundle without a file', () => [makeNext().replace('"files"', '"flies"'), tokens.pia], 400, 'flies'],
])('not published by %s', async (_name, make, status, why) => {
  const [text, token] = make()
  const reply = await call(hub.url, 'POST /v1/bundles', { bundle: text }, token)
  expect(reply).toMatchObject({ status, body: { error: expect.stringContaining(why) } })
  expect(await call(hub.url, 'GET /v1/bundles', undefined, tokens.vic)).toMatchObject({ status: 200, body: { bundles: [] } })
  // Without any token nobody has tried anything.
  const who = Object.entries(tokens).find(([, each]) => each === token)?.[0]
  const kind = why.startsWith('role') ? 'refused' : 'bundle_refused'
  expect((await acts()).filter(act => act.endsWith('refused'))).toEqual(who === undefined ? [] : [`person:${who} ${kind}`])
})

test('versions rise by one, whoever comes first, and a revoked key signs nothing more', async () => {
  const bundles = Array.from({ length: 6 }, (_, n) => makeNext({ note: `try ${n}` }))
  const replies = await Promise.all(bundles.map(text => call(hub.url, 'POST /v1/bundles', { bundle: text }, tokens.pia)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(409)])
  const winner = parseBundle(bundles[replies.findIndex(({ status }) => status === 200)] ?? '')
  if (typeof winner === 'string') throw new Error(winner)
  last = { version: 1, hash: winner.hash }
  expect(await publish(makeNext({ version: 3 }))).toMatchObject({ status: 409, body: { error: expect.stringContaining('withheld') } })
  expect(await publish(makeNext({ previous: 'a'.repeat(64) }))).toMatchObject({ status: 409 })
  expect(await publish(makeNext())).toMatchObject({ status: 200 })
  expect(await belayHub('publisher', 'revoke', signer.id)).toMatchObject({ code: 0 })
  expect(await publish(makeNext())).toMatchObject({ status: 403, body: { error: expect.stringContaining('revoked') } })
})

test('a roll-out to a tenth of 40 machines is halted by what they count together, once', async () => {
  await publish(makeNext())
  const halt = { newDeniesPer1000: 10, minCalls: 50 }
  await publish(makeNext({ percentage: 10, halt }))
  const machines: TestMachine[] = []
  for (let n = 0; n < 40; n++) machines.push(await joined(`m${n}`))
  const canaries = machines.filter(({ id }) => shareOf(id) < 10)
  const counting = canaries.length > 0 ? canaries : machines.slice(0, 1)
  const waiting = wait(machines[5] as TestMachine, 2, 15_000)
  const rest = Math.ceil(50 / counting.length)
  await Promise.all(counting.map(machine => report(machine, {}, [{ version: 2, calls: rest - 1, newDenies: 0 }])))
  expect(await call(hub.url, 'GET /v1/bundles', undefined, tokens.vic)).toMatchObject({ body: { bundles: [{ haltedAt: null }, {}] } })
  await Promise.all(counting.map(machine => report(machine, {}, [{ version: 2, calls: 10, newDenies: 5 }])))
  expect((await waiting).halted).toEqual([{ version: 2, why: expect.stringContaining('denied by it') }])
  expect((await acts()).filter(act => act === 'hub roll_out_halted')).toHaveLength(1)
  expect(await report(machines[0] as TestMachine, {}, [{ version: 2, calls: 1, newDenies: 2 }])).toMatchObject({ status: 400 })
  expect(await problems()).toEqual([])
})

test('a machine on an old bundle, on another, that refuses or is pinned is named, and an honest one never', async () => {
  const names = ['honest', 'late', 'old', 'other', 'refusing', 'pinned']
  const machines = new Map<string, TestMachine>()
  for (const name of names) machines.set(name, await joined(name))
  await publish(makeNext())
  const seenHash = last?.hash
  const say = async (name: string, policy: object) => report(machines.get(name) as TestMachine, policy)
  await say('honest', { seen: 1, seenHash, inForce: 1 })
  await say('late', { seen: 0, seenHash: null })
  await say('old', { seen: 0, seenHash: null })
  await say('other', { seen: 1, seenHash: 'f'.repeat(64) })
  await say('refusing', { seen: 1, seenHash, refused: 'a bundle with a bad signature' })
  await say('pinned', { seen: 1, seenHash, pinned: 1 })
  // Everybody is heard of for another 20 minutes, but one: it slept, and has only just said its first word.
  await sql`UPDATE machine SET joined_at = now() - interval '1 day', behind_since = behind_since - interval '20 minutes'`.execute(
    database.db,
  )
  await sql`UPDATE machine SET behind_since = NULL, last_seen = now() - interval '19 minutes' WHERE name = 'late'`.execute(database.db)
  await upload(hub.url, machines.get('late') as TestMachine)
  expect((await problems()).sort()).toEqual(['old: old_bundle', 'other: other_bundle', 'pinned: pinned', 'refusing: bundle_refused'])
})

test('a machine that is heard of every eleven minutes is named once it could have seen the newest bundle ten times', async () => {
  const machine = await joined('seldom')
  await publish(makeNext())
  const say = async (seen: number) => {
    await sql`UPDATE machine SET last_seen = last_seen - interval '11 minutes', behind_since = behind_since - interval '11 minutes'`.execute(
      database.db,
    )
    await report(machine, { seen, seenHash: seen === 0 ? null : last?.hash })
  }
  const named: string[][] = []
  for (let n = 0; n < 14; n++) {
    await say(0)
    named.push(await problems())
  }
  expect(named.slice(0, 10)).toEqual(Array(10).fill([]))
  expect(named.slice(12)).toEqual(Array(2).fill(['seldom: old_bundle']))
  await say(1)
  expect(await problems()).toEqual([])
})

test('an endorsement is made where the root is, and taken without it', async () => {
  const key = formatNoteKey(makeSigner('belay.publisher/two'))
  const rootFile = joinPath(folder, 'belay-root.key')
  const elsewhere = { ...env }
  env = {}
  const made = await belayHub('publisher', 'endorse', 'pia', key, '--root', rootFile)
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining('belay.team/publisher/v1') })
  env = elsewhere
  const file = joinPath(folder, 'endorsement')
  writeFileSync(file, made.out)
  rmSync(rootFile)
  expect(await belayHub('publisher', 'add', 'pia', key)).toMatchObject({ code: 2, err: expect.stringContaining('publisher endorse') })
  expect(await belayHub('publisher', 'add', 'pia', '--endorsement', file)).toMatchObject({ code: 0 })
  expect(await belayHub('publisher', 'add', 'vic', '--endorsement', file)).toMatchObject({
    code: 2,
    err: expect.stringContaining('of pia'),
  })
  expect((await belayHub('publisher', 'list')).out).toContain(key)
})
