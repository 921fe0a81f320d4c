// Random histories of honest machines: whatever a network, sleep, a restart, a key that rotates and policies that come and go do to one, the
// witness never names it. Real HTTP, two processes' worth of hub, a real PostgreSQL; policies are taken by the code that daemons run.
// BELAY_HISTORIES says how many (1,000 in `npm run torture -- --only team`), BELAY_SEED repeats a run.
import { join as joinPath } from 'node:path'
import { formatNoteKey, type NoteSigner } from '@belay/core/ledger'
import { parseBundle } from '@belay/core/team'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBundle, makeSigner } from '../packages/core/src/team/fixtures/make-bundle.ts'
import { FIRST_TEAM_STATE, type TeamPolicyState } from '../packages/host/src/config/team-policy.ts'
import { describePolicy } from '../packages/host/src/team/describe-policy.ts'
import { readPolicies } from '../packages/host/src/team/run-listener.ts'
import { takeBundles } from '../packages/host/src/team/take-bundles.ts'
import { readKeyFile } from '../packages/hub/src/chain/hub-key.ts'
import { query, startPostgres, type TestPostgres } from '../packages/hub/src/fixtures/postgres.ts'
import { addMachine, addPerson, makeTestHub, runHub, type TestHub } from '../packages/hub/src/fixtures/test-hub.ts'
import { addEntries, call, checkpointOf, login, type Reply, type TestMachine, upload } from '../packages/hub/src/fixtures/test-machine.ts'
import type { Hub } from '../packages/hub/src/http/start-hub.ts'

const HISTORIES = Number(process.env.BELAY_HISTORIES ?? 25)
const SEED = Number(process.env.BELAY_SEED ?? Math.floor(Math.random() * 2 ** 31))
const STEPS = 16
/** A new policy in so many histories, on average. */
const PUBLISHED = Math.max(2, Math.round(HISTORIES / 60))
const MAX_SENT = 500

let postgres: TestPostgres
let made: TestHub
let hubs: readonly Hub[]
let publisher: { readonly signer: NoteSigner; readonly endorsement: string; readonly token: string }
let rootKey: string

beforeAll(async () => {
  postgres = await startPostgres()
  made = await makeTestHub(postgres)
  hubs = [await made.start(), await made.start()]
  const signer = makeSigner('belay.publisher/pia')
  const token = await addPerson(made.env, 'pia', 'publisher')
  expect(await runHub(made.env, 'publisher', 'add', 'pia', formatNoteKey(signer))).toMatchObject({ code: 0 })
  const { publishers } = (await call(hubs[0]?.url ?? '', 'GET /v1/publishers', undefined, token)).body as {
    publishers: { endorsement: string }[]
  }
  publisher = { signer, token, endorsement: publishers[0]?.endorsement ?? '' }
  rootKey = formatNoteKey(readKeyFile(joinPath(made.folder, 'belay-root.key')))
})
afterAll(async () => {
  for (const hub of hubs) await hub.stop()
  await made.close()
  await postgres.close()
})

let seed = SEED
const random = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return Math.floor((seed / 2 ** 31) * below)
}
const anyHub = (): Hub => hubs[random(hubs.length)] as Hub

/** A machine and what its daemon keeps. */
interface Honest {
  readonly machine: TestMachine
  policy: TeamPolicyState
  /** All that it ever signed with. */
  readonly keys: NoteSigner[]
}

let last: { version: number; hash: string } | null = null

async function publish(): Promise<void> {
  const order = { version: (last?.version ?? 0) + 1, previous: last?.hash ?? null }
  const expires =
    [null, null, new Date(Date.now() + 1500).toISOString(), new Date(Date.now() + 86_400_000).toISOString()][random(4)] ?? null
  const halt = random(2) === 0 ? null : { newDeniesPer1000: 10, minCalls: 20 }
  const manifest = {
    ...order,
    expires,
    halt,
    percentage: [5, 50, 100][random(3)] ?? 100,
    mode: random(3) === 0 ? ('observe' as const) : ('enforce' as const),
  }
  const files = { 'genesis.key': `version: "2.0"\npermissions: {actors: {"agent:*": {deny: ["Bash(rm ${order.version})"]}}}\n` }
  const text = makeBundle({ ...manifest, selector: random(4) === 0 ? { site: 'elsewhere' } : {} }, { files, ...publisher })
  expect(await call(anyHub().url, 'POST /v1/bundles', { bundle: text }, publisher.token)).toMatchObject({ status: 200 })
  const bundle = parseBundle(text)
  if (typeof bundle !== 'string') last = { version: order.version, hash: bundle.hash }
}

/** Late, twice, cut short, without a checkpoint, from an old place. */
async function send({ machine, keys }: Honest): Promise<readonly Reply[]> {
  const from = random(4) === 0 ? random(machine.cursor + 1) : machine.cursor
  const count = Math.min(MAX_SENT, random(machine.entries.length - from + 1))
  const size = random(machine.entries.length + 1)
  const checkpoint = random(3) === 0 || size === 0 ? null : checkpointOf(machine, size, signersOf(keys))
  const options = { from, count, checkpoint, bodies: random(2) === 0, keys: keys.map(formatNoteKey) }
  return Promise.all(Array.from({ length: 1 + random(2) }, () => upload(anyHub().url, machine, options)))
}

/** A key that a ledger rotated to signs beside the one before. */
const signersOf = (keys: readonly NoteSigner[]): readonly NoteSigner[] => keys.slice(-2)

async function fetchPolicy(honest: Honest): Promise<readonly Reply[]> {
  const { machine, policy } = honest
  const question = { seen: policy.seen?.version ?? 0, halted: policy.halted.map(({ version }) => version), waitMs: 0 }
  const reply = await call(anyHub().url, 'POST /v1/wait', question, machine.token)
  const context = { home: made.folder, rootKey, now: Date.now() }
  // One in five answers is lost on its way.
  if (random(5) > 0) honest.policy = takeBundles({ ...policy, machine: machine.id }, readPolicies(reply.body), context)
  return [reply]
}

async function sayPolicy({ machine, policy }: Honest): Promise<readonly Reply[]> {
  const version = policy.chosen?.compared ?? policy.chosen?.inForce ?? null
  const counts = version === null ? [] : [{ version, calls: 10 + random(20), newDenies: random(4) === 0 ? 5 : 0 }]
  return [await call(anyHub().url, 'POST /v1/report', { policy: describePolicy(policy), counts }, machine.token)]
}

/** Everybody's clock goes on while this machine is not heard of. */
async function sleep(): Promise<readonly Reply[]> {
  const by = `interval '${1 + random(600)} minutes'`
  const url = made.env.BELAY_HUB_DATABASE_URL ?? ''
  await query(url, `UPDATE machine SET joined_at = joined_at - ${by}, last_seen = last_seen - ${by}, behind_since = behind_since - ${by}`)
  await query(url, `UPDATE bundle SET published_at = published_at - ${by}`)
  return []
}

function rotate({ machine, keys }: Honest): void {
  const key = makeSigner(machine.origin)
  keys.push(key)
}

const acts: Readonly<Record<string, (honest: Honest) => Promise<readonly Reply[]>>> = {
  send,
  again: send,
  fetchPolicy,
  sayPolicy,
  /** It sleeps; whoever wakes sends, fetches and reports, in whatever order. */
  sleep: async honest => {
    await sleep()
    const woken = [send, fetchPolicy, sayPolicy].toSorted(() => random(3) - 1)
    const replies: Reply[] = []
    for (const act of woken) {
      replies.push(...(await act(honest)))
      await expectUnnamed(honest)
    }
    return replies
  },
  /** It forgets where it was, and its token. */
  restart: async ({ machine }) => {
    const reply = await login(anyHub().url, machine)
    const { body } = await call(anyHub().url, 'GET /v1/chain', undefined, machine.token)
    machine.cursor = Number(body.seq)
    return [reply]
  },
}
const NAMES = Object.keys(acts)

/** As it stands at the hub, and whole: its chain too. */
async function expectUnnamed({ machine }: Honest): Promise<void> {
  const { body } = await call(anyHub().url, `GET /v1/verify?machine=${machine.id}`, undefined, made.adminToken)
  expect({ seed: SEED, machine: body.name, problems: body.problems }).toEqual({ seed: SEED, machine: body.name, problems: [] })
}

async function live(name: string): Promise<void> {
  const machine = await addMachine(made.env, anyHub(), name)
  const honest: Honest = {
    machine,
    policy: { ...FIRST_TEAM_STATE, machine: machine.id, labels: { site: 'lab' } },
    keys: [machine.ledgerKey],
  }
  for (let step = 0; step < STEPS; step++) {
    addEntries(machine, random(9))
    if (random(40) === 0 && machine.cursor === machine.entries.length) rotate(honest)
    const act = acts[NAMES[random(NAMES.length)] ?? '']
    for (const { status } of (await act?.(honest)) ?? []) expect([200, 409]).toContain(status)
    if (random(4) === 0) await expectUnnamed(honest)
  }
  while (machine.cursor < machine.entries.length) await upload(anyHub().url, machine, { count: MAX_SENT, checkpoint: null })
  await expectUnnamed(honest)
  expect(await call(anyHub().url, 'POST /v1/leave', {}, machine.token)).toMatchObject({ status: 200 })
}

test(
  `nobody is named in ${HISTORIES} random histories of honest machines`,
  async () => {
    for (let n = 0; n < HISTORIES; n++) {
      if (random(HISTORIES) < PUBLISHED || n === 0) await publish()
      await live(`m${n}`)
    }
    expect(await runHub(made.env, 'verify')).toMatchObject({ code: 0 })
  },
  HISTORIES * 5000 + 60_000,
)
