// Approvals and efforts at the hub: one row, decided once, by who may. Real HTTP, a real PostgreSQL.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { lockActs } from './act/record-act.ts'
import { readKeyFile } from './chain/hub-key.ts'
import { type Database, type OpenDatabase, openDatabase } from './database/open-database.ts'
import { startPostgres, type TestPostgres } from './fixtures/postgres.ts'
import { addMachine, addPerson, makeTestHub, type TestHub } from './fixtures/test-hub.ts'
import { call, type TestMachine, upload } from './fixtures/test-machine.ts'
import type { Hub } from './http/start-hub.ts'

let postgres: TestPostgres
let made: TestHub
let env: NodeJS.ProcessEnv
let database: OpenDatabase
let hub: Hub
let second: Hub
let machine: TestMachine
const tokens: Record<string, string> = {}

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())
beforeEach(async () => {
  made = await makeTestHub(postgres)
  ;({ env, database } = made)
  tokens.ana = made.adminToken
  ;[hub, second] = [await made.start(), await made.start()]
  for (const [name, role] of [
    ['vic', 'viewer'],
    ['abe', 'approver'],
    ['bea', 'approver'],
  ] as const)
    tokens[name] = await addPerson(env, name, role)
  machine = await addMachine(env, hub)
})
afterEach(async () => {
  await Promise.all([hub.stop(), second.stop()])
  await made.close()
})

const joined = (name: string): Promise<TestMachine> => addMachine(env, hub, name)

const FACTS = { actor: 'agent:executor', tool: 'Bash', input: { command: 'git push' }, reason: 'no rule allows it' }
const REQUEST = {
  id: 'apr_1',
  state: 'pending',
  facts: FACTS,
  requester: 'human:mia',
  approvers: [],
  leftMs: 60_000,
  decidedBy: null,
  note: null,
}
const send = (more: object = {}, from = machine) =>
  call(hub.url, 'POST /v1/approvals', { approvals: [{ ...REQUEST, ...more }] }, from.token)
const decide = (who: string, decision: string, at = hub, id = 'apr_1') =>
  call(at.url, 'POST /v1/approvals/decide', { machine: machine.id, id, decision }, tokens[who])
const wait = async (waitMs: number, decided: readonly string[] = []) =>
  (await call(hub.url, 'POST /v1/wait', { seen: 0, halted: [], decided, isWatched: true, waitMs }, machine.token)).body
const rows = () => database.db.selectFrom('approval').select(['id', 'state', 'decided_by', 'via', 'outcome']).execute()

test('of many who decide at once, at two processes, one does, and the machine hears of that one', async () => {
  await send()
  await call(hub.url, 'GET /v1/approvals', undefined, tokens.abe)
  const waiting = wait(15_000)
  const tries = Array.from({ length: 12 }, (_, n) => decide(n % 2 ? 'abe' : 'bea', n % 3 ? 'allow' : 'deny', n % 2 ? hub : second))
  const replies = await Promise.all(tries)
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(409)])
  const [row] = await rows()
  expect(await waiting).toMatchObject({ decisions: [{ id: 'apr_1', decision: row?.state, by: `human:${row?.decided_by}` }] })
  expect((await wait(0, ['apr_1'])).decisions).toEqual([])
  await send({ state: row?.state, decidedBy: `human:${row?.decided_by}` })
  expect((await wait(0)).decisions).toEqual([])
  const acts = await database.db.selectFrom('act').select('kind').where('kind', '=', 'approval_decided').execute()
  expect(acts).toHaveLength(1)
})

test('however many decisions wait for the record, a machine hears of what is there', async () => {
  const ids = Array.from({ length: 40 }, (_, n) => `apr_${n}`)
  for (const id of ids) await send({ id })
  await decide('abe', 'allow', hub, 'apr_0')
  const later = ids.slice(1)
  const { deciding, heard } = await database.db.transaction().execute(async tx => {
    await lockRecord(tx)
    const deciding = Promise.all(later.map(id => decide('abe', 'allow', hub, id)))
    // Some wait for the record by now.
    await expect.poll(() => countWaiting()).toBeGreaterThan(0)
    return { deciding, heard: await Promise.all(Array.from({ length: 20 }, () => wait(0))) }
  })
  for (const { decisions } of heard) expect(decisions).toMatchObject([{ id: 'apr_0' }])
  expect((await deciding).map(({ status }) => status)).toEqual(later.map(() => 200))
})

test('decisions that come together are recorded together, and each gets its own answer', async () => {
  const ids = Array.from({ length: 30 }, (_, n) => `apr_${n}`)
  for (const id of ids) await send({ id })
  await send({ id: 'own', requester: 'human:abe' })
  await send({ id: 'over', leftMs: 0 })
  const { deciding, at } = await database.db.transaction().execute(async tx => {
    await lockRecord(tx)
    const first = decide('abe', 'allow', hub, 'apr_0')
    await expect.poll(() => countWaiting()).toBeGreaterThan(0)
    const rest = [...ids.slice(1), 'apr_1', 'own', 'over', 'nothing'].map(id => decide('abe', 'deny', hub, id))
    // All of them are at the hub before the first one is through.
    await sleep(300)
    return { deciding: Promise.all([first, ...rest]), at: await countCommits() }
  })
  const [first, second, ...others] = (await deciding).map(({ status }) => status)
  const again = others.splice(ids.length - 2, 1)
  // Whichever of the two about the same request came first.
  expect([second, ...again].sort()).toEqual([200, 409])
  expect([first, ...others]).toEqual([...ids.slice(1).map(() => 200), 403, 409, 404])
  expect((await countCommits()) - at).toBeLessThan(ids.length)
  expect(await rows()).toEqual(
    expect.arrayContaining(
      ids.map((id, n) => ({ id, state: n === 0 ? 'allowed' : 'denied', decided_by: 'abe', via: 'hub', outcome: null })),
    ),
  )
  const acts = await database.db.selectFrom('act').select(['seq', 'kind']).where('kind', 'like', 'approval_%').orderBy('seq').execute()
  // In which order they reach the hub is nobody's promise.
  expect(acts.map(({ kind }) => kind).toSorted()).toEqual([...ids.map(() => 'approval_decided'), 'approval_refused'])
})

test('a process that is cut off while it holds the record holds nobody up for long', async () => {
  await send()
  const other = openDatabase(env.BELAY_HUB_DATABASE_URL ?? '')
  let release: () => void = () => undefined
  const cut = other.db.transaction().execute(async tx => {
    await lockRecord(tx)
    // It says nothing more, and its connection stays.
    await new Promise<void>(resolve => {
      release = resolve
    })
  })
  await expect.poll(() => countHolding()).toBe(1)
  expect(await decide('abe', 'allow')).toMatchObject({ status: 200 })
  release()
  await expect(cut).rejects.toThrow()
  await other.close()
})

const lockRecord = (tx: Database) => lockActs(tx, readKeyFile(made.keyFile).name)

const countHolding = (): Promise<number> => countSessions("state = 'idle in transaction'")
const countWaiting = (): Promise<number> => countSessions("wait_event_type = 'Lock'")

async function countSessions(which: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND ${sql.raw(which)}`.execute(database.db)
  return rows[0]?.n ?? 0
}

/** Transactions that wrote something. */
async function countCommits(): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT pg_snapshot_xmax(pg_current_snapshot())::text::int AS n`.execute(database.db)
  return rows[0]?.n ?? 0
}

test('what was decided on the machine first stays so, and what the machine made of a decision is told beside it', async () => {
  await send({ state: 'denied', decidedBy: 'human:mia' })
  expect(await decide('abe', 'allow')).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('denied already by human:mia') },
  })
  await send({ id: 'apr_2' })
  await decide('abe', 'allow', hub, 'apr_2')
  await send({ id: 'apr_2', state: 'denied', decidedBy: 'human:mia' })
  await send({ id: 'apr_2', state: 'allowed', decidedBy: 'human:abe' })
  expect((await rows()).sort((a, b) => a.id.localeCompare(b.id))).toEqual([
    { id: 'apr_1', state: 'denied', decided_by: 'human:mia', via: 'machine', outcome: 'denied' },
    { id: 'apr_2', state: 'allowed', decided_by: 'abe', via: 'hub', outcome: 'denied' },
  ])
})

test.each<[string, object, string, number, string]>([
  ['a viewer', {}, 'vic', 403, 'role approver'],
  ['the person whose machine asks', { requester: 'human:abe' }, 'abe', 403, 'your own machine'],
  ['somebody whom the policy does not name', { approvers: ['human:lead'] }, 'abe', 403, 'only human:lead'],
  ['anybody, when it is over', { leftMs: 0 }, 'abe', 409, 'is over'],
])('not decided by %s', async (_name, more, who, status, why) => {
  await send(more)
  expect(await decide(who, 'allow')).toMatchObject({ status, body: { error: expect.stringContaining(why) } })
  expect(await rows()).toMatchObject([{ state: 'pending', decided_by: null }])
  const refused = await database.db.selectFrom('act').select(['actor', 'kind']).where('kind', 'like', '%refused').execute()
  const kind = who === 'vic' ? 'refused' : 'approval_refused'
  expect(refused).toEqual(status === 403 ? [{ actor: `person:${who}`, kind }] : [])
})

/** What an agent may put into a call, and PostgreSQL into no text or jsonb. */
const UNHELD = 'a\0b \ud800 c'

test('text that no database holds is shown without it, and holds nothing up', async () => {
  const facts = { ...FACTS, input: { command: UNHELD, [UNHELD]: [UNHELD] } }
  const approvals = [
    { ...REQUEST, facts, requester: `human:${UNHELD}`, approvers: [], note: UNHELD },
    { ...REQUEST, id: 'apr_2' },
  ]
  expect(await call(hub.url, 'POST /v1/approvals', { approvals }, machine.token)).toMatchObject({ status: 200 })
  const report = { policy: { seen: 0, refused: UNHELD }, counts: [], work: { agents: [{ label: UNHELD }], efforts: [] } }
  expect(await call(hub.url, 'POST /v1/report', report, machine.token)).toMatchObject({ status: 200 })
  expect(await upload(hub.url, machine, { status: { lastError: UNHELD } })).toMatchObject({ status: 200 })
  const listed = (await call(hub.url, 'GET /v1/approvals', undefined, tokens.vic)).body.approvals as { id: string; facts: typeof facts }[]
  expect(listed.find(({ id }) => id === 'apr_1')?.facts.input.command).toBe('a\ufffdb \ufffd c')
  // Nobody else's decision fails with it either.
  const decided = [
    call(hub.url, 'POST /v1/approvals/decide', { machine: machine.id, id: 'apr_1', decision: 'deny', note: UNHELD }, tokens.abe),
    call(hub.url, 'POST /v1/approvals/decide', { machine: UNHELD, id: UNHELD, decision: 'allow' }, tokens.bea),
    decide('abe', 'allow', hub, 'apr_2'),
  ]
  expect((await Promise.all(decided)).map(({ status }) => status)).toEqual([200, 404, 200])
})

test('an input nested deeper than the database reads is refused for good', async () => {
  const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`
  const text = JSON.stringify({ approvals: [{ ...REQUEST, facts: { input: 0 } }] }).replace('"input":0', `"input":${deep}`)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${machine.token}` }
  expect((await fetch(`${hub.url}/v1/approvals`, { method: 'POST', headers, body: text })).status).toBe(400)
})

test.each(['/v1/entries?actor=%00', '/v1/entries?day=2026-13-45', '/v1/live?since=7', '/v1/entry?chain=9007199254740991&seq=1'])(
  'GET %s is no trouble of the hub',
  async path => {
    expect([200, 400, 404]).toContain((await call(hub.url, `GET ${path}`, undefined, tokens.vic)).status)
  },
)

test('a machine speaks of its own requests only', async () => {
  const other = await joined('other')
  await send()
  await send({ state: 'allowed', decidedBy: 'human:eve' }, other)
  expect(await database.db.selectFrom('approval').select(['machine', 'state']).orderBy('state').execute()).toEqual(
    expect.arrayContaining([
      { machine: machine.id, state: 'pending' },
      { machine: other.id, state: 'allowed' },
    ]),
  )
  expect(await decide('abe', 'allow', hub, 'nothing')).toMatchObject({ status: 404 })
  expect(await call(hub.url, 'POST /v1/approvals', { approvals: [{ ...REQUEST, id: '../x' }] }, machine.token)).toMatchObject({
    status: 400,
  })
})

test('of many machines that take an effort at once one has it, and may begin once more', async () => {
  const takers = [await joined('b'), await joined('c'), await joined('d')]
  const efforts = [
    { id: 1, skill: 'repair', handOver: '{}' },
    { id: 2, skill: 'repair', handOver: null },
  ]
  await call(hub.url, 'POST /v1/report', { policy: {}, counts: [], work: { agents: [{ agent: 'x' }], efforts } }, machine.token)
  const take = (by: TestMachine, id = 1, more: object = {}, at = hub) =>
    call(at.url, 'POST /v1/efforts/take', { effort: `${machine.id}/${id}`, ...more }, by.token)
  const tries = takers.flatMap((by, n) => [take(by, 1, {}, n % 2 ? hub : second), take(by)])
  const replies = await Promise.all(tries)
  const owner = (await database.db.selectFrom('effort_owner').select('owner').execute())[0]?.owner
  const isOwner = (n: number) => takers[Math.floor(n / 2)]?.id === owner
  expect(replies.filter(({ status }, n) => status === 200 && !isOwner(n))).toEqual([])
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  const winner = takers.find(({ id }) => id === owner) as TestMachine
  expect(await take(winner)).toMatchObject({ status: 200, body: { effort: { skill: 'repair' } } })
  expect(await take(takers[0] as TestMachine, 2)).toMatchObject({ status: 409, body: { error: expect.stringContaining('--force') } })
  expect(await take(takers[0] as TestMachine, 2, { force: true })).toMatchObject({ status: 200 })
  expect(await take(machine, 3)).toMatchObject({ status: 404 })
  expect((await wait(0)).taken).toHaveLength(2)
  const { machines } = (await call(hub.url, 'GET /v1/fleet', undefined, tokens.vic)).body as { machines: { efforts: object[] }[] }
  expect(machines[0]?.efforts[0]).toEqual({ id: 1, skill: 'repair', effort: `${machine.id}/1`, isOffered: true, takenBy: owner })
  expect(await database.db.selectFrom('act').select('kind').where('kind', '=', 'effort_taken').execute()).toHaveLength(2)
})

test('agents are held while somebody who can decide looks, not for a viewer', async () => {
  const watched = async () => (await wait(0)).isWatched
  expect(await watched()).toBe(false)
  await call(hub.url, 'GET /v1/approvals', undefined, tokens.vic)
  expect(await watched()).toBe(false)
  await call(hub.url, 'GET /v1/approvals?state=pending', undefined, tokens.abe)
  expect(await watched()).toBe(true)
  await sql`UPDATE meta SET value = (now() - interval '1 minute')::text WHERE key = 'approversSeen'`.execute(database.db)
  expect(await watched()).toBe(false)
})

test('a hub that stops has nothing under way to the database, though who asked has gone away', async () => {
  const stopping = await made.start()
  const gone = new AbortController()
  const begun = async () => Number(/^belay_hub_requests_total (\d+)/m.exec(await (await fetch(`${stopping.url}/metrics`)).text())?.[1])
  const before = await begun()
  const waiting = fetch(`${stopping.url}/v1/wait`, {
    method: 'POST',
    headers: { authorization: `Bearer ${machine.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ seen: 0, halted: [], decided: [], isWatched: false, waitMs: 20_000 }),
    signal: gone.signal,
  }).catch(() => undefined)
  await expect.poll(begun).toBeGreaterThan(before + 1)
  let hasStopped = false
  const stopped = await database.db.transaction().execute(async tx => {
    await sql`LOCK TABLE approval IN ACCESS EXCLUSIVE MODE`.execute(tx)
    gone.abort()
    await waiting
    const ending = stopping.stop().then(() => {
      hasStopped = true
    })
    await sleep(500)
    expect(hasStopped).toBe(false)
    return { ending }
  })
  await stopped.ending
})
