// Whoever is dishonest at the hub's door: a person who tries what is not theirs by every route and with every kind of token, a machine that
// floods, says more than any daemon would or puts SQL into every text, a client that is slow or sends no HTTP. Real HTTP, a real PostgreSQL.
import { connect } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRefusals } from './act/refusals.ts'
import { readKeyFile } from './chain/hub-key.ts'
import { createPulses } from './database/pulse.ts'
import { mayDo, ROLES } from './database/role.ts'
import { startPostgres, type TestPostgres } from './fixtures/postgres.ts'
import { addMachine, addPerson, makeJoinToken, makeTestHub, runHub, type TestHub } from './fixtures/test-hub.ts'
import { addEntries, call, join, login, makeMachine, type TestMachine, upload } from './fixtures/test-machine.ts'
import { createHubMetrics } from './http/hub-metrics.ts'
import { createRoutes, type Hub, startHub } from './http/start-hub.ts'

const REQUEST_MS = 400
const CONFIG = { host: '127.0.0.1', port: 0, tlsCert: null, tlsKey: null, silentAfterMinutes: 60, requestMs: REQUEST_MS }

let postgres: TestPostgres
let made: TestHub
let hub: Hub
let machine: TestMachine
const tokens = new Map<string, string>()

beforeAll(async () => {
  postgres = await startPostgres()
  made = await makeTestHub(postgres)
  hub = await startHub({ db: made.database.db, signer: readKeyFile(made.keyFile), config: CONFIG, log: () => undefined })
  for (const role of ROLES) tokens.set(role, await addPerson(made.env, `p-${role}`, role))
  machine = await addMachine(made.env, hub)
})
afterAll(async () => {
  await hub.stop()
  await made.close()
  await postgres.close()
})

const routes = () => {
  const { db } = made.database
  const signer = readKeyFile(made.keyFile)
  const parts = { db, signer, config: CONFIG, metrics: createHubMetrics(), refusals: createRefusals(db, signer, () => undefined) }
  return Object.entries(createRoutes({ ...parts, pulses: createPulses(db, () => undefined) }))
}
const countActs = async (like: string): Promise<number> =>
  (await made.database.db.selectFrom('act').select('seq').where('kind', 'like', like).execute()).length
const send = (approvals: readonly object[], from = machine) => call(hub.url, 'POST /v1/approvals', { approvals }, from.token)
const REQUEST = {
  id: 'apr_1',
  state: 'pending',
  facts: {},
  requester: 'human:mia',
  approvers: [],
  leftMs: 60_000,
  decidedBy: null,
  note: null,
}

test('no role, and no token of another kind, gets through a route that is not for it', async () => {
  const challenge = String((await call(hub.url, 'POST /v1/challenge', { machine: machine.id })).body.challenge)
  const session = await fetch(`${hub.url}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'belay-page': 'a'.repeat(64) },
    body: JSON.stringify({ token: tokens.get('admin') }),
  })
  const cookie = /belay_hub=([\w-]+)/.exec(session.headers.get('set-cookie') ?? '')?.[1] ?? ''
  const others = [await makeJoinToken(made.env), challenge, cookie, `${cookie}.${'a'.repeat(64)}`, 'undefined', '']
  let tried = 0
  for (const [request, route] of routes()) {
    if (route.for === 'anyone') continue
    const isOfMachines = route.for === 'machine'
    const wrong = isOfMachines ? [...tokens.values()] : [machine.token]
    for (const token of [...wrong, ...others]) {
      expect({ request, token, status: (await call(hub.url, request, request.startsWith('POST') ? {} : undefined, token)).status }).toEqual(
        {
          request,
          token,
          status: 401,
        },
      )
      tried++
    }
    if (route.for === 'machine') continue
    for (const role of ROLES.filter(each => !mayDo(each, route.for as 'viewer'))) {
      const body = request.startsWith('POST') ? {} : undefined
      expect({ request, role, status: (await call(hub.url, request, body, tokens.get(role))).status }).toEqual({
        request,
        role,
        status: 403,
      })
      tried++
    }
  }
  expect(tried).toBeGreaterThan(150)
})

/** What the hub says to these bytes; empty: it only ended the connection. */
function sendRaw(lines: readonly string[], body = ''): Promise<string> {
  const { hostname, port } = new URL(hub.url)
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname)
    let said = ''
    socket.on('data', chunk => {
      said += String(chunk)
    })
    socket.on('error', () => resolve(said))
    socket.on('close', () => resolve(said))
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  })
}

const DECIDE = '{"machine":"x","id":"y","decision":"allow"}'
const asViewer = (): string => `Authorization: Bearer ${tokens.get('viewer')}`

test.each<[string, (viewer: string, admin: string) => readonly string[], RegExp]>([
  ['another method in a header', viewer => ['POST /v1/me HTTP/1.1', viewer, 'X-HTTP-Method-Override: GET'], /^HTTP\/1.1 404/],
  ['a role in headers', viewer => ['POST /v1/revoke HTTP/1.1', viewer, 'X-Role: admin', 'X-Forwarded-User: p-admin'], /^HTTP\/1.1 403/],
  ['a second token behind the first', (viewer, admin) => ['POST /v1/revoke HTTP/1.1', viewer, admin], /^HTTP\/1.1 403/],
  ['two tokens in one header', (viewer, admin) => ['POST /v1/revoke HTTP/1.1', `${viewer}, ${admin.slice(15)}`], /^HTTP\/1.1 401/],
  ['a path that hides another', viewer => ['POST /v1/x/../revoke HTTP/1.1', viewer], /^HTTP\/1.1 403/],
  ['an address of another host', viewer => ['POST http://evil.example/v1/revoke HTTP/1.1', viewer], /^HTTP\/1.1 403/],
  ['an address without a host', viewer => ['GET // HTTP/1.1', viewer], /^HTTP\/1.1 400/],
  ['an address that is none', viewer => ['GET http://[ HTTP/1.1', viewer], /^HTTP\/1.1 400/],
  ['the name of what every object has', viewer => ['GET constructor HTTP/1.1', viewer], /^HTTP\/1.1 40[04]/],
  ['two lengths', viewer => ['POST /v1/me HTTP/1.1', viewer, 'Content-Length: 1', 'Content-Length: 40'], /^HTTP\/1.1 400/],
  [
    'a length beside chunks',
    viewer => ['POST /v1/me HTTP/1.1', viewer, 'Content-Length: 4', 'Transfer-Encoding: chunked'],
    /^HTTP\/1.1 400/,
  ],
  ['chunks of another spelling', viewer => ['POST /v1/me HTTP/1.1', viewer, 'Transfer-Encoding: xchunked'], /^HTTP\/1.1 (?:400|404)/],
  ['a header that goes on', viewer => ['POST /v1/me HTTP/1.1', viewer, 'X-A: b', ' Authorization: c'], /^HTTP\/1.1 400/],
])('over HTTP as nobody should speak it: %s', async (_name, lines, expected) => {
  const admin = `Authorization: Bearer ${tokens.get('admin')}`
  const [first = '', ...headers] = lines(asViewer(), admin)
  expect(await sendRaw([first, 'Host: hub', 'Connection: close', ...headers])).toMatch(expected)
})

test('a second request in the body of the first is a body', async () => {
  const inner = `POST /v1/approvals/decide HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer ${tokens.get('admin')}\r\nContent-Length: ${DECIDE.length}\r\n\r\n${DECIDE}`
  const lines = ['POST /v1/approvals/decide HTTP/1.1', 'Host: hub', asViewer(), 'Connection: close', `Content-Length: ${inner.length}`]
  expect((await sendRaw(lines, inner)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403'])
})

test.each<[string, readonly string[], string]>([
  ['nothing', [], ''],
  ['half a head', ['GET /v1/me HTTP/1.1', 'Host: hub'], 'head'],
  ['half a body', ['POST /v1/session HTTP/1.1', 'Host: hub', 'Content-Length: 100'], '{"token":'],
])('a client that sends %s and waits is sent away, and others are answered meanwhile', async (_name, lines, rest) => {
  const { hostname, port } = new URL(hub.url)
  const waiting = Array.from({ length: 100 }, () => {
    const socket = connect(Number(port), hostname)
    if (rest === 'head') socket.write(lines.join('\r\n'))
    else if (lines.length > 0) socket.write(`${lines.join('\r\n')}\r\n\r\n${rest}`)
    return new Promise<void>(resolve => {
      socket.on('error', () => undefined)
      socket.on('close', () => resolve())
      socket.resume()
    })
  })
  expect(await call(hub.url, 'GET /v1/me', undefined, tokens.get('viewer'))).toMatchObject({ status: 200 })
  await Promise.all(waiting)
})

test('a machine that waits at the hub again and again is told so, and no other is held up', async () => {
  const other = await addMachine(made.env, hub, 'other')
  const body = { seen: 0, halted: [], isWatched: false, waitMs: 3000 }
  const waits = Array.from({ length: 60 }, () => call(hub.url, 'POST /v1/wait', body, machine.token))
  expect(await call(hub.url, 'POST /v1/wait', { ...body, waitMs: 0 }, other.token)).toMatchObject({ status: 200 })
  const statuses = (await Promise.all(waits)).map(({ status }) => status).sort()
  expect([statuses.indexOf(429), statuses.length]).toEqual([8, 60])
})

test('nobody can fill the record by trying, the same or always something else', async () => {
  const stranger = await addPerson(made.env, 'stranger', 'approver')
  const before = await countActs('%refused')
  const ids = Array.from({ length: 120 }, (_, n) => `apr_n${n}`)
  await send(ids.map(id => ({ ...REQUEST, id, approvers: ['human:lead'] })))
  for (const id of [...ids, ...ids])
    expect(await call(hub.url, 'POST /v1/approvals/decide', { machine: machine.id, id, decision: 'allow' }, stranger)).toMatchObject({
      status: 403,
    })
  const liar = await addMachine(made.env, hub, 'liar')
  addEntries(liar, 120)
  for (let count = 1; count <= 120; count++) {
    const reply = await upload(
      hub.url,
      { ...liar, entries: liar.entries.map((entry, at) => (at === count - 1 ? { ...entry, bodyHash: 'f'.repeat(64) } : entry)) },
      { count, bodies: true },
    )
    expect(reply.status).toBe(400)
  }
  // Fifty of each.
  expect((await countActs('%refused')) - before).toBe(100)
})

test('what one machine counts for a roll-out spoils no sum', async () => {
  const liar = await addMachine(made.env, hub, 'counter')
  await sql`INSERT INTO bundle (version, hash, person, text) VALUES (1, 'h', 'p-publisher', '{}')`.execute(made.database.db)
  const count = (from: TestMachine, calls: number) =>
    call(hub.url, 'POST /v1/report', { policy: {}, counts: [{ version: 1, calls, newDenies: calls }] }, from.token)
  for (let n = 0; n < 3; n++) expect(await count(liar, Number.MAX_SAFE_INTEGER)).toMatchObject({ status: 200 })
  expect(await count(machine, 7)).toMatchObject({ status: 200 })
  const { rows } = await sql<{ calls: number }>`SELECT calls FROM roll_out ORDER BY calls`.execute(made.database.db)
  expect(rows).toEqual([{ calls: 7 }, { calls: 1e12 }])
  await sql`DELETE FROM roll_out`.execute(made.database.db)
  await sql`DELETE FROM bundle`.execute(made.database.db)
})

test('a machine that says more than a daemon would fills no list that people look at', async () => {
  const large = 'x'.repeat(600_000)
  expect(await upload(hub.url, machine, { status: { lastError: large } })).toMatchObject({ status: 200 })
  expect(await call(hub.url, 'POST /v1/report', { policy: { seen: 0, note: large }, counts: [] }, machine.token)).toMatchObject({
    status: 200,
  })
  expect(await send([{ ...REQUEST, id: 'apr_large', facts: { input: large } }])).toMatchObject({ status: 400 })
  addEntries(machine, 3, { text: large })
  expect(await upload(hub.url, machine, { bodies: true })).toMatchObject({ status: 200 })
  for (const path of ['machines', 'approvals', 'entries?limit=1000', 'live', 'fleet', 'me']) {
    const { status, body } = await call(hub.url, `GET /v1/${path}`, undefined, tokens.get('viewer'))
    expect({ path, status, isLarge: JSON.stringify(body).length > 200_000 }).toEqual({ path, status: 200, isLarge: false })
  }
})

const SQL = [
  "'; DROP TABLE act; --",
  '"); DELETE FROM entry; --',
  '$1',
  '\\',
  "$$||(SELECT 'x')||$$",
  '%',
  'NULL',
  '{"a":1}',
  "x' OR '1'='1",
]

test.each(SQL)('SQL in every text is a text: %s', async text => {
  const before = await countActs('%')
  const added = makeMachine()
  const token = await makeJoinToken(made.env)
  expect(await join(hub.url, added, token, text)).toMatchObject({ status: 200 })
  expect(await login(hub.url, added)).toMatchObject({ status: 200 })
  addEntries(added, 2, { tool: text, verdict: text, rule: { id: text } })
  const entries = added.entries.map(entry => ({ ...entry }))
  expect(await upload(hub.url, { ...added, entries }, { bodies: true, keys: [text], status: { lastError: text } })).toMatchObject({
    status: 200,
  })
  expect(
    await send([{ ...REQUEST, facts: { [text]: text }, requester: text, approvers: [text], note: text, decidedBy: text }], added),
  ).toMatchObject({
    status: 200,
  })
  const work = { agents: [{ agent: text }], efforts: [{ id: 1, title: text, handOver: text }] }
  expect(await call(hub.url, 'POST /v1/report', { policy: { seen: 0, note: text }, counts: [], work }, added.token)).toMatchObject({
    status: 200,
  })
  expect(await call(hub.url, 'POST /v1/efforts/take', { effort: `${added.id}/1`, agent: text }, machine.token)).toMatchObject({
    status: 200,
  })
  for (const body of [
    { machine: text, id: text },
    { machine: added.id, id: text },
  ])
    expect(
      await call(hub.url, 'POST /v1/approvals/decide', { ...body, decision: 'allow', note: text }, tokens.get('approver')),
    ).toMatchObject({ status: 404 })
  expect(await call(hub.url, 'POST /v1/revoke', { machine: text }, tokens.get('admin'))).toMatchObject({ status: 404 })
  const said = encodeURIComponent(text)
  const { body } = await call(
    hub.url,
    `GET /v1/entries?tool=${said}&verdict=${said}&rule=${said}&machine=${said}`,
    undefined,
    tokens.get('viewer'),
  )
  expect(body.entries).toMatchObject([
    { machine: text, tool: text },
    { machine: text, tool: text },
  ])
  for (const query of ['entry?chain=', 'verify?machine=', 'bundle?version=', 'approvals?state=', 'live?since='])
    expect([400, 404]).toContain((await call(hub.url, `GET /v1/${query}${said}`, undefined, tokens.get('viewer'))).status)
  // The machine that joined and the effort that was taken.
  expect(await countActs('%')).toBe(before + 3)
})

test('after all of it the hub is whole and names nobody', async () => {
  expect(await runHub(made.env, 'verify')).toMatchObject({ code: 0, err: '' })
})
