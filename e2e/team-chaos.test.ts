// Machines that record while everything between them and their team breaks: hubs are killed, the database dies, connections are cut and
// delayed. Nothing is lost, nothing is taken twice, nobody is named. BELAY_TEAM_SECONDS says for how long, BELAY_TEAM_MACHINES how many.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSigner } from '../packages/host/src/ledger/keyring.ts'
import { type LocalLedger, openLedger } from '../packages/host/src/ledger/open-ledger.ts'
import { verifyLedger } from '../packages/host/src/ledger/verify/verify-ledger.ts'
import { openSqliteStore } from '../packages/host/src/store/open-sqlite-store.ts'
import { listKeys } from '../packages/host/src/store/table/key.ts'
import { findOrigin } from '../packages/host/src/store/table/meta.ts'
import { joinTeam } from '../packages/host/src/team/join-team.ts'
import { runUploader } from '../packages/host/src/team/run-uploader.ts'
import { readUploadState } from '../packages/host/src/team/upload-state.ts'
import { query, startPostgres, type TestPostgres } from '../packages/hub/src/fixtures/postgres.ts'
import { startChaosProxy } from './fixtures/chaos-proxy.ts'

const HUB = fileURLToPath(new URL('../packages/hub/bin/belay-hub.cjs', import.meta.url))
const SECONDS = Number(process.env.BELAY_TEAM_SECONDS ?? 8)
const MACHINES = Number(process.env.BELAY_TEAM_MACHINES ?? 4)
const ROUND_MS = 2000

let folder: string
let postgres: TestPostgres
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bc-'))
  postgres = await startPostgres()
  const url = await postgres.createDatabase()
  env = { PATH: process.env.PATH, HOME: folder, BELAY_HUB_DATABASE_URL: url, BELAY_HUB_KEY_FILE: join(folder, 'hub.key') }
})
afterAll(async () => {
  await postgres.close()
  rmSync(folder, { recursive: true, force: true })
})

function belayHub(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [HUB, ...args], { cwd: folder, env, encoding: 'utf8' })
  return { code: status, out: stdout, err: stderr }
}

interface TestHub {
  readonly port: number
  process: ChildProcess
}

async function startHub(port = 0): Promise<TestHub> {
  const hub = spawn(process.execPath, [HUB, 'up', '--port', String(port)], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
  const found = await new Promise<number>((resolve, reject) => {
    hub.once('exit', code => reject(new Error(`the hub ended with ${code}`)))
    hub.stdout.on('data', chunk => {
      const [, bound] = /answers at \S+:(\d+)/.exec(String(chunk)) ?? []
      if (bound !== undefined) resolve(Number(bound))
    })
  })
  return { port: found, process: hub }
}

/** While the database is away a hub does not come up; whoever keeps it tries again. */
async function restartHub(hub: TestHub): Promise<void> {
  hub.process.kill('SIGKILL')
  for (;;) {
    const started = await startHub(hub.port).catch(() => undefined)
    if (started) {
      hub.process = started.process
      return
    }
    await sleep(200)
  }
}

interface TestMachine {
  readonly home: string
  readonly ledger: LocalLedger
  readonly uploading: Promise<void>
  stop(): Promise<void>
}

async function startMachine(n: number, url: string): Promise<TestMachine> {
  const home = join(folder, `m${n}`)
  mkdirSync(home)
  // One machine lives in 1999.
  const shift = n === 0 ? Date.now() - Date.parse('1999-06-01') : 0
  const clock = { now: () => Date.now() - shift, monotonic: () => performance.now() }
  const ledger = await openLedger({ home, clock, sealEveryMs: 300 })
  await ledger.append({ actor: 'system:test', session: null, kind: 'first', policy: null, body: {} })
  const store = await openSqliteStore({ file: ledger.files.database, readOnly: true })
  const signer = findSigner(ledger.files.keys, (await listKeys(store))[0] ?? '')
  const origin = await findOrigin(store)
  if (!signer || origin === undefined) throw new Error('a ledger without a key')
  const token = JSON.parse(belayHub('token', 'join', '--json').out).token
  const joined = await joinTeam({
    home,
    url,
    token,
    labels: {},
    upload: n % 2 === 0 ? 'index' : 'bodies',
    erase: [],
    kibPerSecond: 4096,
    ledger: { origin, signer },
  })
  if (!joined.ok) throw new Error(joined.why)
  const ending = new AbortController()
  const uploading = runUploader({
    home,
    store,
    membership: joined.membership,
    version: '0',
    signal: ending.signal,
    lookMs: 50,
    longestWaitMs: 1500,
  })
  return {
    home,
    ledger,
    uploading,
    stop: async () => {
      ending.abort()
      await uploading
      await store.close()
      await ledger.close()
    },
  }
}

async function record(machines: readonly TestMachine[], chaos: { isOn: boolean }): Promise<void> {
  for (let n = 0; chaos.isOn; n++) {
    const body = { n, tool: 'Bash', verdict: n % 5 === 0 ? 'deny' : 'allow', input: { command: 'x'.repeat(n % 300) } }
    await Promise.all(
      machines.map(({ ledger }) => ledger.append({ actor: 'agent:a', session: `s${n % 3}`, kind: 'pre_tool_use', policy: null, body })),
    )
    await sleep(15)
  }
}

/** Each kind at least once, however slow the machine is. */
async function breakThings(hubs: readonly TestHub[], chaos: { isOn: boolean }): Promise<void> {
  const until = Date.now() + SECONDS * 1000
  for (let broken = 0; broken < 2 || Date.now() < until; broken++) {
    await sleep(ROUND_MS * (0.5 + Math.random()))
    if (broken % 2 === 0) await restartHub(hubs[(broken / 2) % hubs.length] as TestHub)
    else {
      await postgres.kill()
      await sleep(300)
      await postgres.start()
    }
  }
  chaos.isOn = false
}

test(`nothing is lost or taken twice, and nobody is named (${MACHINES} machines, ${SECONDS} s)`, {
  timeout: SECONDS * 1000 + 300_000,
}, async () => {
  expect(belayHub('init')).toMatchObject({ code: 0 })
  const chaos = { isOn: false }
  const hubs = [await startHub(), await startHub()]
  const proxy = await startChaosProxy(() => hubs.map(({ port }) => port), chaos)
  const machines = await Promise.all(Array.from({ length: MACHINES }, (_, n) => startMachine(n, proxy.url)))
  chaos.isOn = true
  await Promise.all([breakThings(hubs, chaos), record(machines, chaos)])
  const heads: number[] = []
  for (const { home, ledger } of machines) {
    const size = (await ledger.checkpoint())?.size ?? 0
    heads.push(size)
    await expect
      .poll(() => readUploadState(home))
      .toMatchObject({ acknowledged: size, head: size, cosigned: size, error: null, isFork: false })
  }
  for (const machine of machines) await machine.stop()
  for (const { home } of machines)
    expect(await verifyLedger({ file: join(home, 'belay.db'), keysDirectory: join(home, 'keys') })).toMatchObject({ ok: true })
  const counted = 'SELECT count(*)::int AS n, count(DISTINCT seq)::int AS d, max(seq)::int AS last FROM entry GROUP BY chain ORDER BY 1'
  expect(await query(env.BELAY_HUB_DATABASE_URL ?? '', counted)).toEqual(heads.sort((a, b) => a - b).map(n => ({ n, d: n, last: n })))
  const { code, out } = belayHub('verify', '--json')
  expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, ok: true })
  proxy.close()
  for (const hub of hubs) hub.process.kill('SIGKILL')
})
