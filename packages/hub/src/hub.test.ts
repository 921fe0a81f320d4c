// The hub as machines and people meet it: real HTTP, a real PostgreSQL.
import { readFileSync, writeFileSync } from 'node:fs'

import { join as joinPath } from 'node:path'
import { formatCheckpoint, formatNoteKey, parseNoteKey, readBodyHead, readCosignature, signNote } from '@belay/core/ledger'
import { fingerprintKey, parseJoinToken, readEndorsedKey, signStatement } from '@belay/core/team'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeSigner } from '../../core/src/team/fixtures/make-bundle.ts'
import { createOwnChain } from './act/record-act.ts'
import { readKeyFile } from './chain/hub-key.ts'
import { CURRENT_VERSION, migrate } from './database/migrate.ts'
import { type OpenDatabase, openDatabase } from './database/open-database.ts'
import { createPartitions, dayOf } from './database/partition.ts'
import { startPostgres, type TestPostgres } from './fixtures/postgres.ts'
import { addMachine, addPerson, makeJoinToken, makeTestHub, runHub, type TestHub } from './fixtures/test-hub.ts'
import { addEntries, call, checkpointOf, join, makeMachine, type TestMachine, upload, uploadEntry } from './fixtures/test-machine.ts'
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

beforeEach(async () => {
  made = await makeTestHub(postgres)
  ;({ folder, env, database } = made)
  hub = await made.start()
})
afterEach(async () => {
  await hub.stop()
  await made.close()
})

const belayHub = (...argv: readonly string[]) => runHub(env, ...argv)
const newJoinToken = () => makeJoinToken(env)
const joined = (name?: string): Promise<TestMachine> => addMachine(env, hub, name)

const verify = async () => {
  const { code, out } = await belayHub('verify', '--json')
  const report = JSON.parse(out)
  return {
    code,
    hub: report.hub.problems,
    named: report.machines.flatMap((m: { name: string; problems: { kind: string }[] }) => m.problems.map(p => `${m.name}: ${p.kind}`)),
  }
}

/** As a restore of an older copy does, and as somebody who has the hub's key could: the last act is gone, and all that is left fits. */
async function putRecordBack(hasGrown: boolean): Promise<void> {
  await belayHub('token', 'join')
  const text = async (query: string) => (await sql.raw<{ v: string }>(query).execute(database.db)).rows[0]?.v ?? ''
  const own = 'SELECT row_to_json(c)::text AS v FROM chain c WHERE machine IS NULL'
  const tile = "SELECT encode(hashes, 'hex') AS v FROM tile t JOIN chain c ON c.id = t.chain WHERE c.machine IS NULL"
  // The record of before is another hub's first acts under the same key: none of these acts.
  const [chain, hashes] = [JSON.parse(await text(own)), await text(tile)]
  expect([chain.seq > 2, hashes.length]).toEqual([true, chain.seq * 64])
  await sql`DELETE FROM act`.execute(database.db)
  await sql`DELETE FROM tile WHERE chain = ${chain.id}`.execute(database.db)
  await sql`DELETE FROM chain WHERE id = ${chain.id}`.execute(database.db)
  await database.db.transaction().execute(tx => createOwnChain(tx, readKeyFile(made.keyFile)))
  for (let n = 0; n < (hasGrown ? chain.seq + 2 : 1); n++) await belayHub('token', 'join')
}

/** What was tried and refused, as it stands in the hub's own record. */
const refused = async (): Promise<string[]> =>
  (await database.db.selectFrom('act').select(['actor', 'kind']).where('kind', 'like', '%refused').orderBy('seq').execute()).map(
    ({ actor, kind }) => `${actor} ${kind}`,
  )

const GOOD = { code: 0, hub: [], named: [] }

describe('enrolment', () => {
  test('a token lets one machine in, once, and tells it whose team it is', async () => {
    const machine = makeMachine()
    const reply = await join(hub.url, machine, made.joinToken)
    expect(reply.status).toBe(200)
    const team = reply.body.team as { rootKey: string; hubKey: string; endorsement: string }
    const root = parseNoteKey(team.rootKey)
    expect(root && fingerprintKey(root)).toBe(parseJoinToken(made.joinToken)?.rootFingerprint)
    expect(root && readEndorsedKey(team.endorsement, 'hub', root)?.id).toBe(readKeyFile(made.keyFile).id)
    expect(await join(hub.url, makeMachine(), made.joinToken)).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('used') },
    })
    expect(await refused()).toEqual(['nobody login_refused'])
  })

  test('of many who come with one token at once, one gets in', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => join(hub.url, makeMachine(), made.joinToken)))
    expect(replies.map(reply => reply.status).sort()).toEqual([200, ...Array(7).fill(403)])
  })

  test.each<[string, (machine: TestMachine) => Record<string, unknown>]>([
    [
      'a login key that the ledger has not endorsed',
      machine => ({ endorsement: signStatement('machine', [machine.origin, 'x'], machine.ledgerKey) }),
    ],
    [
      'an endorsement by another ledger',
      machine => ({ endorsement: signStatement('machine', [machine.origin, formatNoteKey(machine.loginKey)], makeSigner(machine.origin)) }),
    ],
    [
      'a login statement as endorsement',
      machine => ({ endorsement: signStatement('login', [machine.origin, formatNoteKey(machine.loginKey)], machine.ledgerKey) }),
    ],
  ])('%s does not get in, and the token is still good', async (_name, change) => {
    const machine = makeMachine()
    const { origin, ledgerKey, loginKey } = machine
    const keys = { loginKey: formatNoteKey(loginKey), ledgerKey: formatNoteKey(ledgerKey) }
    const secret = parseJoinToken(made.joinToken)?.secret
    const endorsement = signStatement('machine', [origin, keys.loginKey], ledgerKey)
    const request = { secret, name: 'x', labels: {}, origin, endorsement, ...keys, ...change(machine) }
    expect(await call(hub.url, 'POST /v1/join', request)).toMatchObject({ status: 403 })
    expect(await join(hub.url, machine, made.joinToken)).toMatchObject({ status: 200 })
  })

  test('a challenge is good once, and for the machine that asked', async () => {
    const [machine, other] = [await joined('a'), await joined('b')]
    const challenge = String((await call(hub.url, 'POST /v1/challenge', { machine: machine.id })).body.challenge)
    const signature = signStatement('login', [machine.id, challenge], machine.loginKey)
    const stolen = signStatement('login', [other.id, challenge], other.loginKey)
    expect(await call(hub.url, 'POST /v1/login', { machine: other.id, challenge, signature: stolen })).toMatchObject({ status: 403 })
    expect(await call(hub.url, 'POST /v1/login', { machine: machine.id, challenge, signature })).toMatchObject({ status: 200 })
    expect(await call(hub.url, 'POST /v1/login', { machine: machine.id, challenge, signature })).toMatchObject({ status: 403 })
    expect(await refused()).toEqual([`machine:${other.id} login_refused`, `machine:${machine.id} login_refused`])
  })

  test('a machine that was revoked, or has left, sends nothing more, with whatever token', async () => {
    const [machine, other] = [await joined('a'), await joined('b')]
    addEntries(machine, 3)
    expect(await upload(hub.url, machine)).toMatchObject({ status: 200 })
    expect(await belayHub('machines', 'revoke', machine.id)).toMatchObject({ code: 0 })
    expect(await upload(hub.url, machine)).toMatchObject({ status: 401 })
    expect(await call(hub.url, 'POST /v1/challenge', { machine: machine.id })).toMatchObject({ status: 403 })
    expect(await call(hub.url, 'POST /v1/leave', {}, other.token)).toMatchObject({ status: 200 })
    expect(await upload(hub.url, other)).toMatchObject({ status: 401 })
    expect(await verify()).toEqual(GOOD)
  })
})

describe('upload', () => {
  test('entries of many batches arrive once, are cosigned, and verify', async () => {
    const machine = await joined()
    addEntries(machine, 700)
    expect(await upload(hub.url, machine, { count: 500 })).toMatchObject({ status: 200, body: { seq: 500 } })
    const { body } = await upload(hub.url, machine, { bodies: true })
    expect(body.seq).toBe(700)
    const lines = String(body.cosigned).trimEnd().split('\n')
    const text = `${lines.slice(0, 3).join('\n')}\n`
    expect(readCosignature(text, lines.at(-1) ?? '', readKeyFile(made.keyFile))).toBeGreaterThan(0)
    expect(
      await database.db
        .selectFrom('entry')
        .select(eb => eb.fn.countAll<number>().as('n'))
        .executeTakeFirst(),
    ).toEqual({ n: 700 })
    expect(await verify()).toEqual(GOOD)
  })

  test('the same batch twice, at once and later, is one batch', async () => {
    const machine = await joined()
    addEntries(machine, 40)
    const replies = await Promise.all(Array.from({ length: 6 }, () => upload(hub.url, { ...machine })))
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(1)
    expect(replies.filter(reply => reply.status === 409).every(reply => reply.body.seq === 40)).toBe(true)
    expect(await upload(hub.url, machine, { from: 0 })).toMatchObject({ status: 409, body: { seq: 40 } })
    expect(
      await database.db
        .selectFrom('entry')
        .select(eb => eb.fn.countAll<number>().as('n'))
        .executeTakeFirst(),
    ).toEqual({ n: 40 })
    expect(await verify()).toEqual(GOOD)
  })

  test('two hub processes on one database are one hub', async () => {
    const second = await made.start()
    const machine = await joined()
    addEntries(machine, 30)
    await upload(hub.url, machine, { count: 10 })
    await upload(second.url, machine, { count: 10 })
    expect(await upload(hub.url, machine)).toMatchObject({ status: 200, body: { seq: 30 } })
    await second.stop()
    expect(await verify()).toEqual(GOOD)
  })

  test.each<[string, (entry: ReturnType<typeof uploadEntry>) => object, number]>([
    ['a body that is not of its hash', entry => ({ ...entry, body: '{}' }), 400],
    ['another verdict', entry => ({ ...entry, verdict: 'allow', rule: 'none' }), 422],
    ['another actor', entry => ({ ...entry, actor: 'human:nobody' }), 422],
    ['a session longer than a hub takes', entry => ({ ...entry, session: 's'.repeat(20_000) }), 400],
    ['a body longer than a hub takes', entry => ({ ...entry, body: `{"a":"${'b'.repeat(1 << 20)}"}` }), 400],
    ['a hash in capitals', entry => ({ ...entry, bodyHash: 'F'.repeat(64) }), 400],
  ])('%s is not taken', async (_name, change, status) => {
    const machine = await joined()
    addEntries(machine, 5)
    const entries = machine.entries.map(entry => uploadEntry(entry, true))
    const changed = entries.with(2, change(entries[2] as ReturnType<typeof uploadEntry>) as ReturnType<typeof uploadEntry>)
    const head = { seq: 5, hash: machine.entries[4]?.hash }
    const body = { from: 0, prev: '0'.repeat(64), head, entries: changed, checkpoint: checkpointOf(machine), keys: [], status: {} }
    expect(await call(hub.url, 'POST /v1/upload', body, machine.token)).toMatchObject({ status })
    expect(await database.db.selectFrom('entry').select('seq').execute()).toEqual([])
  })

  test('text that no database holds, entries of the first format and dropped ones are taken', async () => {
    const machine = await joined()
    addEntries(machine, 1, { tool: 'a\0b', session: '\u2028' })
    const [entry] = machine.entries
    if (!entry) throw new Error('no entry')
    const old = { ...uploadEntry(entry), format: 1, hash: 'a'.repeat(64) }
    const entries = [uploadEntry(entry), old, { dropped: 'b'.repeat(64) }]
    const head = { seq: 3, hash: 'b'.repeat(64) }
    const body = { from: 0, prev: '0'.repeat(64), head, entries, checkpoint: null, keys: [], status: {} }
    expect(await call(hub.url, 'POST /v1/upload', body, machine.token)).toMatchObject({ status: 200, body: { seq: 3 } })
    expect(await database.db.selectFrom('entry').select(['seq', 'is_proved', 'tool']).orderBy('seq').execute()).toEqual([
      { seq: 1, is_proved: true, tool: null },
      { seq: 2, is_proved: false, tool: null },
    ])
    expect(await verify()).toEqual(GOOD)
  })

  test('what stands in a list of rows is read back as it was sent, whatever it looks like', async () => {
    const machine = await joined()
    const odd = ['NULL', '', '"', '\\', '{}', ',', 'a,b', '{"a"}', '\\"', "'", '\n', ' ', '\u{1f600}', '$1', '\\N', 'true', '0', null]
    for (const tool of odd) addEntries(machine, 1, { tool, verdict: tool, rule: { id: tool }, judge: tool })
    expect(await upload(hub.url, machine, { bodies: true })).toMatchObject({ status: 200, body: { seq: odd.length } })
    const columns = ['seq', 'id', 'time', 'tool', 'verdict', 'rule', 'judge', 'body', 'salt'] as const
    const rows = await database.db.selectFrom('entry').select(columns).orderBy('seq').execute()
    expect(rows).toEqual(machine.entries.map(({ seq, id, time, body, salt }) => ({ seq, id, time, ...readBodyHead(body), body, salt })))
    expect(rows.map(({ tool }) => tool)).toEqual(odd)
    expect(await verify()).toEqual(GOOD)
  })

  test('a key that the ledger rotated to is accepted where the old one vouches for it, and no other', async () => {
    const machine = await joined()
    addEntries(machine, 4)
    const next = makeSigner(machine.origin)
    const keys = [formatNoteKey(machine.ledgerKey), formatNoteKey(next)]
    expect(await upload(hub.url, machine, { keys, count: 2, checkpoint: checkpointOf(machine, 2, [next]) })).toMatchObject({ status: 422 })
    machine.cursor = 0
    expect(
      await upload(hub.url, machine, { keys, count: 2, checkpoint: checkpointOf(machine, 2, [machine.ledgerKey, next]) }),
    ).toMatchObject({ status: 200 })
    expect(await upload(hub.url, machine, { keys, checkpoint: checkpointOf(machine, 4, [next]) })).toMatchObject({
      status: 200,
      body: { seq: 4 },
    })
  })

  test('what a machine sends under the token of another is behind the other chain, and refused', async () => {
    const [machine, other] = [await joined('a'), await joined('b')]
    addEntries(machine, 5)
    expect(await upload(hub.url, { ...machine, token: other.token })).toMatchObject({ status: 422 })
    expect(await upload(hub.url, machine)).toMatchObject({ status: 200 })
    expect(await refused()).toEqual([`machine:${other.id} upload_refused`])
    expect((await verify()).named).toEqual(['b: rewritten'])
  })

  test('the database goes away and comes back: what was not taken is tried again and taken', async () => {
    const machine = await joined()
    addEntries(machine, 20)
    expect(await upload(hub.url, machine, { count: 10 })).toMatchObject({ status: 200 })
    await postgres.kill()
    expect(await upload(hub.url, machine)).toMatchObject({ status: 503 })
    expect(await call(hub.url, 'GET /readyz')).toMatchObject({ status: 503 })
    expect(await call(hub.url, 'GET /healthz')).toMatchObject({ status: 200 })
    await postgres.start()
    // A pooler between them hears of it a moment later; a machine tries again anyway.
    await expect.poll(() => upload(hub.url, machine), { timeout: 30_000 }).toMatchObject({ status: 200, body: { seq: 20 } })
    expect(await verify()).toEqual(GOOD)
  })
})

describe('the witness names', () => {
  test('a ledger of which an older copy was put back, or whose end was cut off', async () => {
    const [machine, honest] = [await joined('a'), await joined('b')]
    for (const each of [machine, honest]) {
      addEntries(each, 20)
      await upload(hub.url, each)
    }
    machine.entries = machine.entries.slice(0, 12)
    expect(await upload(hub.url, machine)).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('ends at 12, the hub holds 20') },
    })
    expect(await verify()).toEqual({ code: 1, hub: [], named: ['a: rolled_back'] })
  })

  test('a copy that was put back and has grown past what the hub holds', async () => {
    const machine = await joined('a')
    addEntries(machine, 20)
    await upload(hub.url, machine)
    machine.entries = machine.entries.slice(0, 12)
    addEntries(machine, 30)
    expect(await upload(hub.url, machine)).toMatchObject({ status: 422 })
    expect(await verify()).toEqual({ code: 1, hub: [], named: ['a: rewritten'] })
  })

  test('a checkpoint over other entries than those that were sent', async () => {
    const machine = await joined('a')
    addEntries(machine, 10)
    const shown = { ...machine, entries: [...machine.entries] }
    shown.entries[4] = { ...(shown.entries[4] as (typeof shown.entries)[number]), hash: 'c'.repeat(64) }
    expect(await upload(hub.url, machine, { checkpoint: checkpointOf(shown) })).toMatchObject({ status: 422 })
    expect(await verify()).toMatchObject({ code: 1, named: ['a: rewritten'] })
  })

  const dayTable = () => sql.table(`entry_${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`)
  const copyOfRow = sql`INSERT INTO entry SELECT chain, seq, day - 1, format, is_proved, id, time, actor, session, kind, policy, judge, rule, tool,
    verdict, body_hash, body, salt, erased, received FROM entry WHERE seq = 8`
  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['a row', () => sql`DELETE FROM entry WHERE seq = 8`.execute(database.db), /^1 entries are gone that nobody pruned/],
    ['the last rows', () => sql`DELETE FROM entry WHERE seq > 6`.execute(database.db), /^14 entries are gone/],
    ['all rows', () => sql`TRUNCATE entry`.execute(database.db), /^20 entries are gone/],
    ['a whole day past `prune`', () => sql`DROP TABLE ${dayTable()}`.execute(database.db), /^20 entries are gone/],
    ['an act', () => sql`DELETE FROM act WHERE seq = 2`.execute(database.db), /^1 acts are gone/],
    ['the last act', () => sql`DELETE FROM act WHERE seq = (SELECT max(seq) FROM act)`.execute(database.db), /^1 acts are gone/],
    [
      'nothing, and puts a row there twice',
      async () => {
        await createPartitions(database.db)(dayOf(Date.now() - 86_400_000))
        await copyOfRow.execute(database.db)
      },
      /^there are 1 entries more than were taken/,
    ],
  ])('somebody who takes %s out of the database of the hub', async (_name, change, what) => {
    const machine = await joined('a')
    addEntries(machine, 20)
    await upload(hub.url, machine)
    expect(await verify()).toEqual(GOOD)
    await change()
    const { code, out } = await belayHub('verify', '--json')
    const report = JSON.parse(out)
    const problems = [...report.hub.problems, ...report.machines.flatMap((each: { problems: object[] }) => each.problems)]
    expect({ code, problems }).toEqual({ code: 1, problems: [{ kind: 'hub_row_changed', what: expect.stringMatching(what) }] })
  })

  test.each<[string, (machine: TestMachine) => void, string]>([
    [
      'rewritten',
      machine => {
        machine.entries = []
        addEntries(machine, 40)
      },
      'rewritten',
    ],
    ['cut off', machine => void machine.entries.splice(7), 'rolled_back'],
  ])('a ledger that was %s, after the day of these entries was pruned too', async (_name, change, kind) => {
    const machine = await joined('a')
    addEntries(machine, 20)
    await upload(hub.url, machine)
    await sql`ALTER TABLE ${dayTable()} RENAME TO entry_20200101`.execute(database.db)
    expect(await belayHub('prune', '--days', '1')).toMatchObject({ code: 0 })
    expect(await verify()).toEqual(GOOD)
    expect(await database.db.selectFrom('act').select('body').where('kind', '=', 'day_pruned').execute()).toEqual([
      { body: '{"day":"2020-01-01","days":1,"entries":20}' },
    ])
    change(machine)
    expect(await upload(hub.url, machine)).toMatchObject({ status: 422 })
    expect(await verify()).toEqual({ code: 1, hub: [], named: [`a: ${kind}`] })
  })

  test('a machine that went silent, but not one that has left', async () => {
    const [silent, left] = [await joined('a'), await joined('b')]
    await call(hub.url, 'POST /v1/leave', {}, left.token)
    expect(silent.id).not.toBe('')
    await sql`UPDATE machine SET joined_at = now() - interval '2 hours', last_seen = now() - interval '2 hours'`.execute(database.db)
    expect(await verify()).toEqual({ code: 1, hub: [], named: ['a: silent'] })
  })

  test('nobody whose entries arrive, and no act of the hub that is recorded, while it looks', async () => {
    const machine = await joined('a')
    addEntries(machine, 3000)
    let isOver = false
    const sending = (async () => {
      while (!isOver && machine.cursor < 2900) await upload(hub.url, machine, { count: 10 })
    })()
    const inviting = (async () => {
      while (!isOver) await call(hub.url, 'POST /v1/join-tokens', {}, made.adminToken)
    })()
    const found = []
    for (let n = 0; n < 12; n++) found.push(await verify())
    isOver = true
    await Promise.all([sending, inviting])
    expect(machine.cursor).toBeGreaterThan(0)
    expect(found).toEqual(found.map(() => GOOD))
  })

  test.each([
    ['an entry', "UPDATE entry SET verdict = 'allow' WHERE seq = 8", 'a: hub_row_changed'],
    ['a body', "UPDATE entry SET body = '{}' WHERE seq = 8", 'a: hub_row_changed'],
    ['a hash', "UPDATE tile SET hashes = overlay(hashes PLACING '\\x00'::bytea FROM 40) WHERE chain = 2", 'a: hub_hashes_changed'],
    [
      'a hash behind the last',
      "UPDATE tile SET hashes = hashes || decode(repeat('00', 32), 'hex') WHERE chain = 2",
      'a: hub_hashes_changed',
    ],
    ['a cursor', 'UPDATE chain SET seq = seq - 1 WHERE id = 2', 'a: hub_hashes_changed'],
    ['a cosignature', "UPDATE chain SET cosignature = '' WHERE id = 2", 'a: signature'],
  ])('%s that somebody changed in the database of the hub', async (_name, text, named) => {
    const machine = await joined('a')
    addEntries(machine, 20)
    await upload(hub.url, machine, { bodies: true })
    expect(await verify()).toEqual(GOOD)
    await sql.raw(text).execute(database.db)
    const found = await verify()
    expect(found.code).toBe(1)
    expect(found.named).toContain(named)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['was cut off at its end', () => putRecordBack(false)],
    ['was put back and has grown since', () => putRecordBack(true)],
  ])('a record of the hub that %s, by what a machine has seen of it', async (_name, change) => {
    const machine = await joined('a')
    const { body } = await call(hub.url, 'GET /v1/record?size=0', undefined, machine.token)
    await upload(hub.url, machine, { status: { hubRecord: body.checkpoint } })
    expect(await verify()).toEqual(GOOD)
    await change()
    expect(await verify()).toMatchObject({ code: 1, hub: [{ kind: 'hub_record_changed', what: expect.stringContaining('seen by a') }] })
  })

  test('a record that a machine only says it has seen is nothing against the hub', async () => {
    const machine = await joined('a')
    const forged = signNote(formatCheckpoint({ origin: readKeyFile(made.keyFile).name, size: 900, root: Buffer.alloc(32) }), [
      makeSigner(readKeyFile(made.keyFile).name),
    ])
    await upload(hub.url, machine, { status: { hubRecord: forged } })
    expect(await verify()).toEqual(GOOD)
  })

  test('an act of the hub that somebody changed', async () => {
    await sql`UPDATE act SET actor = 'nobody' WHERE seq = 1`.execute(database.db)
    expect(await verify()).toMatchObject({ code: 1, hub: [{ kind: 'hub_row_changed' }] })
  })
})

describe('people', () => {
  test('each role may do what is its own and no more, and a removed person nothing', async () => {
    const tokens: Record<string, string> = { ana: made.adminToken }
    for (const role of ['viewer', 'approver', 'publisher']) {
      expect(await belayHub('people', 'add', role, '--role', role)).toMatchObject({ code: 0 })
      tokens[role] = JSON.parse((await belayHub('token', 'person', role, '--json')).out).token
    }
    for (const name of ['viewer', 'approver', 'publisher']) {
      expect(await call(hub.url, 'GET /v1/machines', undefined, tokens[name])).toMatchObject({ status: 200 })
      expect(await call(hub.url, 'POST /v1/join-tokens', {}, tokens[name])).toMatchObject({
        status: 403,
        body: { error: expect.stringContaining('admin') },
      })
      expect(await call(hub.url, 'POST /v1/revoke', { machine: 'x' }, tokens[name])).toMatchObject({ status: 403 })
    }
    expect(await call(hub.url, 'GET /v1/machines')).toMatchObject({ status: 401 })
    expect(await call(hub.url, 'GET /v1/machines', undefined, 'nonsense')).toMatchObject({ status: 401 })
    const token = String((await call(hub.url, 'POST /v1/join-tokens', {}, tokens.ana)).body.token)
    expect(await join(hub.url, makeMachine(), token)).toMatchObject({ status: 200 })
    expect(await belayHub('people', 'remove', 'viewer')).toMatchObject({ code: 0 })
    expect(await call(hub.url, 'GET /v1/machines', undefined, tokens.viewer)).toMatchObject({ status: 401 })
    expect(await belayHub('people', 'remove', 'ana')).toMatchObject({ code: 2, err: expect.stringContaining('last administrator') })
    const { acts } = (await call(hub.url, 'GET /v1/acts', undefined, tokens.ana)).body as { acts: { kind: string }[] }
    expect(acts.map(act => act.kind)).toEqual([
      // Whoever was removed, and before that a token that nobody knows.
      'token_refused',
      'person_removed',
      'machine_joined',
      'join_token_made',
      'token_refused',
      // Each of three people tried two things that are for administrators.
      ...Array(6).fill('refused'),
      ...['publisher', 'approver', 'viewer'].flatMap(() => ['person_token_made', 'person_added']),
      'team_made',
    ])
    expect(await verify()).toEqual(GOOD)
  })

  test('who shows a token that is none stands on record, with whose it was, and cannot fill the record', async () => {
    const machine = await joined('a')
    expect(await belayHub('machines', 'revoke', machine.id)).toMatchObject({ code: 0 })
    const viewer = await addPerson(env, 'vic', 'viewer')
    for (let n = 0; n < 20; n++) expect(await upload(hub.url, machine)).toMatchObject({ status: 401 })
    expect(await call(hub.url, 'POST /v1/wait', {}, viewer)).toMatchObject({ status: 401 })
    expect(await call(hub.url, 'GET /v1/machines', undefined, 'x'.repeat(32))).toMatchObject({ status: 401 })
    expect(await call(hub.url, 'POST /v1/session', { token: 'stolen' })).toMatchObject({ status: 403 })
    // Without any token nobody has tried anything.
    expect(await call(hub.url, 'GET /v1/machines')).toMatchObject({ status: 401 })
    const acts = await database.db
      .selectFrom('act')
      .select(['actor', 'kind', 'body'])
      .where('kind', 'like', '%_refused')
      .orderBy('seq')
      .execute()
    expect(acts.map(({ actor, kind, body }) => [actor, kind, JSON.parse(body)])).toEqual([
      [`machine:${machine.id}`, 'token_refused', { request: 'POST /v1/upload', why: 'revoked' }],
      ['person:vic', 'token_refused', { request: 'POST /v1/wait', why: 'of another kind' }],
      ['nobody', 'token_refused', { request: 'GET /v1/machines', why: 'unknown' }],
      ['nobody', 'login_refused', { request: 'session', why: 'the token is none' }],
    ])
    expect(await verify()).toMatchObject({ code: 0 })
  })

  test('a token that was revoked, or is over, is not a token', async () => {
    const token = await newJoinToken()
    const { tokens } = JSON.parse((await belayHub('token', 'list', '--json')).out)
    expect(tokens.map((each: { kind: string; state: string }) => `${each.kind} ${each.state}`)).toEqual([
      'person open',
      'join open',
      'join open',
    ])
    expect(await belayHub('token', 'revoke', tokens[2].id)).toMatchObject({ code: 0 })
    expect(await join(hub.url, makeMachine(), token)).toMatchObject({ status: 403 })
    await sql`UPDATE token SET expires_at = now() - interval '1 second'`.execute(database.db)
    expect(await join(hub.url, makeMachine(), made.joinToken)).toMatchObject({ status: 403 })
    expect(await call(hub.url, 'GET /v1/machines', undefined, made.adminToken)).toMatchObject({ status: 401 })
  })

  test('entries are found by their heads, over machines', async () => {
    for (const name of ['a', 'b']) {
      const machine = await joined(name)
      addEntries(machine, 15)
      await upload(hub.url, machine)
    }
    const find = async (query: string) =>
      (
        (await call(hub.url, `GET /v1/entries?${query}`, undefined, made.adminToken)).body.entries as { machine: string; seq: number }[]
      ).map(({ machine, seq }) => `${machine}${seq}`)
    expect(await find('verdict=deny')).toEqual(['b15', 'b8', 'b1', 'a15', 'a8', 'a1'])
    expect(await find('verdict=deny&machine=b&limit=2')).toEqual(['b15', 'b8'])
    expect(await find('tool=Read')).toEqual([])
  })
})

describe('the command line', () => {
  test('keys, tokens and secrets are not in the database, and keys are private', async () => {
    await newJoinToken()
    const tables = await Promise.all(
      ['meta', 'token', 'person', 'act'].map(table => sql<{ t: string }>`SELECT t::text FROM ${sql.table(table)} t`.execute(database.db)),
    )
    const text = JSON.stringify(tables.flatMap(({ rows }) => rows))
    for (const secret of [made.adminToken, parseJoinToken(made.joinToken)?.secret ?? '']) expect(text.includes(secret)).toBe(false)
    expect(text.includes('PRIVATE')).toBe(false)
    expect(readFileSync(made.keyFile, 'utf8')).toContain('PRIVATE')
  })

  test('a second init, a wrong key and a database that is no hub are named', async () => {
    expect(await belayHub('init')).toMatchObject({ code: 2, err: expect.stringContaining('holds a team already') })
    const fresh = await postgres.createDatabase()
    env = { ...env, BELAY_HUB_DATABASE_URL: fresh }
    expect(await belayHub('status')).toMatchObject({ code: 2, err: expect.stringContaining('belay-hub init') })
    expect(await belayHub('init')).toMatchObject({ code: 2, err: expect.stringContaining('never written over') })
  })

  test('migrations run once, whoever begins, and a newer database is refused', async () => {
    const url = await postgres.createDatabase()
    const opened = openDatabase(url)
    const from = await Promise.all(Array.from({ length: 4 }, () => migrate(opened.db)))
    expect(from.sort()).toEqual([0, ...Array(3).fill(CURRENT_VERSION)])
    await sql`UPDATE schema_version SET version = 99`.execute(opened.db)
    await expect(migrate(opened.db)).rejects.toThrow('newer hub')
    await opened.close()
    env = { ...env, BELAY_HUB_DATABASE_URL: url }
    expect(await belayHub('status')).toMatchObject({ code: 2, err: expect.stringContaining('newer hub') })
  })

  test('prune drops days and leaves what proves', async () => {
    const machine = await joined()
    addEntries(machine, 10)
    await upload(hub.url, machine)
    const today = new Date().toISOString().slice(0, 10)
    expect(await belayHub('prune')).toMatchObject({ code: 2, err: expect.stringContaining('retention_days') })
    expect(await belayHub('prune', '--days', '1')).toMatchObject({ code: 0, out: 'no day is older than 1 days\n' })
    await sql`ALTER TABLE ${sql.table(`entry_${today.replaceAll('-', '')}`)} RENAME TO entry_20200101`.execute(database.db)
    expect(await belayHub('prune', '--days', '1', '--dry-run')).toMatchObject({ code: 0, out: 'would drop 2020-01-01\n' })
    expect(await belayHub('prune', '--days', '1')).toMatchObject({ code: 0, out: 'dropped 2020-01-01\n' })
    expect(await verify()).toEqual(GOOD)
    expect(JSON.parse((await belayHub('verify', '--json')).out).machines[0].chains).toMatchObject([{ entries: 10, held: 0 }])
  })

  test('status and metrics say who was heard of', async () => {
    const machine = await joined('build-7')
    addEntries(machine, 10)
    await upload(hub.url, machine, { count: 4 })
    expect((await belayHub('status')).out).toMatch(/build-7 +[0-9a-f]{16} +active .* 4 +4 +6\n/)
    const text = await (await fetch(`${hub.url}/metrics`)).text()
    expect(text).toContain('belay_hub_entries_total 4\n')
    expect(text).toContain('belay_hub_machines{state="active"} 1\n')
    expect(text).toContain('belay_hub_lag_entries 6\n')
  })

  test.each([
    [{ BELAY_HUB_DATABASE_URL: 'mysql://x' }, 'PostgreSQL only'],
    [{ BELAY_HUB_HOST: '0.0.0.0' }, 'not loopback'],
    [{ BELAY_HUB_TLS_CERT: 'x' }, 'go together'],
    [{ BELAY_HUB_PORT: 'x' }, 'is a number'],
    [{ BELAY_HUB_CONFIG: '/nowhere.toml' }, 'does not exist'],
    [{ BELAY_HUB_PORT: '99999' }, 'port is a whole number from 0 to 65535'],
    [{ BELAY_HUB_SILENT_AFTER_MINUTES: '0' }, 'silent_after_minutes is a whole number from 1'],
    [{ BELAY_HUB_TLS_CERT: '/nowhere.pem', BELAY_HUB_TLS_KEY: '/nowhere.key' }, 'tls_cert /nowhere.pem and tls_key'],
    [{ BELAY_HUB_TLS_CERT: import.meta.filename, BELAY_HUB_TLS_KEY: import.meta.filename }, 'in PEM'],
    [{ BELAY_HUB_PUBLIC_URL: 'hub.example' }, 'public_url begins with'],
    [{ BELAY_HUB_KEY_FILE: import.meta.filename }, 'cannot be read'],
  ])('a configuration that cannot be used: %o', async (more, what) => {
    env = { ...env, ...more }
    expect(await belayHub('status')).toMatchObject({ code: 2, err: expect.stringContaining(what) })
  })

  const NO_SERVER = 'the database does not answer'
  test.each<[string, Partial<URL>, string]>([
    ['no server', { port: '1' }, NO_SERVER],
    ['no such host', { hostname: 'db.invalid' }, NO_SERVER],
    ['no such database', { pathname: '/nowhere' }, 'CREATE DATABASE'],
    ['no such user', { username: 'nobody_here' }, 'the database refuses'],
    ['a user without rights', { username: 'poor' }, 'CREATE DATABASE hub OWNER'],
  ])('a database that cannot be used is named with what to do, by every command that needs it: %s', async (_name, change, what) => {
    await sql`DO $$ BEGIN CREATE ROLE poor LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`.execute(database.db)
    await sql`REVOKE CREATE ON SCHEMA public FROM PUBLIC`.execute(database.db)
    const url = env.BELAY_HUB_DATABASE_URL ?? ''
    const { href } = Object.assign(new URL('username' in change ? postgres.directUrl(url) : url), change)
    env = { ...env, BELAY_HUB_DATABASE_URL: href }
    for (const command of ['init', 'migrate', 'up', 'status', 'verify'])
      expect({ command, ...(await belayHub(command)) }).toMatchObject({ command, code: 2, err: expect.stringContaining(what) })
  })

  test('a port that is taken, and the key of another hub, are named', async () => {
    expect(await belayHub('up', '--port', new URL(hub.url).port)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/nobody can answer at 127\.0\.0\.1, port \d+ \(EADDRINUSE\): give another with --port/),
    })
    expect(await belayHub('up', '--port', '70000')).toMatchObject({ code: 2 })
    const other = await postgres.createDatabase()
    env = { ...env, BELAY_HUB_DATABASE_URL: other }
    expect(await belayHub('migrate')).toMatchObject({ code: 0 })
    for (const command of [['up'], ['token', 'person', 'admin']])
      expect(await belayHub(...command)).toMatchObject({ code: 2, err: expect.stringContaining('belay-hub: ') })
    expect((await belayHub('up')).err).toContain('key_file and database_url belong together')
  })

  test('a file says what the environment does not, and knows its keys', async () => {
    const file = joinPath(folder, 'hub.toml')
    writeFileSync(file, `database_url = "${env.BELAY_HUB_DATABASE_URL}"\nkey_file = "belay-hub.key"\nport = 1\n`)
    env = {}
    expect(await belayHub('status', '--config', file)).toMatchObject({ code: 0 })
    writeFileSync(file, 'databse_url = "x"\n')
    expect(await belayHub('status', '--config', file)).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no key databse_url'),
    })
  })
})
