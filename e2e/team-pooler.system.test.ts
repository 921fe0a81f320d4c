// The hub on the machine's own PostgreSQL, behind pgbouncer in transaction mode: nothing of it may need a session of the database. Several
// hubs, machines that upload, wait and ask, and a pooler with fewer connections than there are requests.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type ThrowAwayPostgres } from '../packages/hub/src/demo/throw-away-postgres.ts'
import { findDebianPrograms, type Pooler, startPooler } from '../packages/hub/src/fixtures/pooler.ts'
import { addEntries, call, join as joinHub, login, makeMachine, upload } from '../packages/hub/src/fixtures/test-machine.ts'

const HUB = fileURLToPath(new URL('../packages/hub/bin/belay-hub.cjs', import.meta.url))
const MACHINES = 8
let postgres: ThrowAwayPostgres
let pooler: Pooler
let env: NodeJS.ProcessEnv
const hubs: ChildProcess[] = []

beforeAll(async () => {
  postgres = await startPostgres({ programs: findDebianPrograms() })
  const direct = await postgres.createDatabase()
  const keys = mkdtempSync(join(tmpdir(), 'belay-keys-'))
  env = { PATH: process.env.PATH, HOME: keys, BELAY_HUB_DIRECT_URL: direct, BELAY_HUB_KEY_FILE: join(keys, 'hub.key') }
  pooler = await startPooler(direct)
  env.BELAY_HUB_DATABASE_URL = pooler.urlOf(direct)
})
afterAll(async () => {
  for (const hub of hubs) hub.kill('SIGKILL')
  pooler?.close()
  await postgres?.close()
  rmSync(String(env?.HOME), { recursive: true, force: true })
})

const belayHub = (...args: string[]): string =>
  execFileSync(process.execPath, [HUB, ...args], { env, cwd: String(env.HOME), encoding: 'utf8' })

function startHub(): Promise<string> {
  const hub = spawn(process.execPath, [HUB, 'up', '--port', '0'], { env, cwd: String(env.HOME), stdio: ['ignore', 'pipe', 'inherit'] })
  hubs.push(hub)
  return new Promise((resolve, reject) => {
    hub.once('exit', code => reject(new Error(`the hub ended with ${code}`)))
    hub.stdout.on('data', chunk => {
      const [, url] = /answers at (\S+)/.exec(String(chunk)) ?? []
      if (url !== undefined) resolve(url)
    })
  })
}

test('two hubs behind a pooler of four connections take the ledgers of eight machines, decide once, and verify', async () => {
  const made = JSON.parse(belayHub('init', '--admin', 'ana', '--json')) as { adminToken: string }
  const urls = [await startHub(), await startHub()]
  const at = (n: number): string => urls[n % urls.length] ?? ''
  const machines = Array.from({ length: MACHINES }, makeMachine)
  for (const [n, machine] of machines.entries()) {
    const { token } = JSON.parse(belayHub('token', 'join', '--json'))
    expect(await joinHub(at(n), machine, token, `m${n}`)).toMatchObject({ status: 200 })
    expect(await login(at(n), machine)).toMatchObject({ status: 200 })
  }
  await Promise.all(
    machines.map(async (machine, n) => {
      for (let round = 0; round < 10; round++) {
        addEntries(machine, 40)
        // To the other hub each time, and the first of all once more: it is taken once.
        expect(await upload(at(n + round), machine)).toMatchObject({ status: 200 })
        if (round === 0) expect(await upload(at(n + 1), machine, { from: 0 })).toMatchObject({ status: 409 })
      }
    }),
  )
  const [first] = machines
  const request = {
    id: 'apr_1',
    state: 'pending',
    facts: { tool: 'Bash' },
    requester: 'human:mia',
    approvers: [],
    leftMs: 60_000,
    decidedBy: null,
    note: null,
  }
  expect(await call(at(1), 'POST /v1/approvals', { approvals: [request] }, first?.token)).toMatchObject({ status: 200 })
  const tries = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      call(
        at(n),
        'POST /v1/approvals/decide',
        { machine: first?.id, id: 'apr_1', decision: n % 2 === 0 ? 'allow' : 'deny' },
        made.adminToken,
      ),
    ),
  )
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
  const heard = await call(at(0), 'POST /v1/wait', { seen: 0, halted: [], waitMs: 15_000 }, first?.token)
  expect(heard.body.decisions).toMatchObject([{ id: 'apr_1' }])
  expect(JSON.parse(belayHub('verify', '--json'))).toMatchObject({ ok: true, machines: machines.map(() => ({ problems: [] })) })
})
