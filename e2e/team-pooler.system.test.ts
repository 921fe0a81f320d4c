// The hub on the machine's own PostgreSQL, behind pgbouncer in transaction mode: nothing of it may need a session of the database. Several
// hubs, machines that upload, wait and ask, and a pooler with fewer connections than there are requests.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type ThrowAwayPostgres } from '../packages/hub/src/demo/throw-away-postgres.ts'
import { addEntries, call, join as joinHub, login, makeMachine, upload } from '../packages/hub/src/fixtures/test-machine.ts'

const HUB = fileURLToPath(new URL('../packages/hub/bin/belay-hub.cjs', import.meta.url))
const NOBODY = 65_534
const MACHINES = 8
let folder: string
let postgres: ThrowAwayPostgres
let pooler: ChildProcess
let env: NodeJS.ProcessEnv
const hubs: ChildProcess[] = []

/** Debian's programs. */
function findPrograms(): string {
  const place = '/usr/lib/postgresql'
  const [version] = existsSync(place) ? readdirSync(place).sort((a, b) => Number(b) - Number(a)) : []
  if (version === undefined) throw new Error('install postgresql and pgbouncer: .ci/run does')
  return join(place, version, 'bin')
}

function findPort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

async function startPooler(directUrl: string): Promise<string> {
  const { port, pathname } = new URL(directUrl)
  const own = await findPort()
  const lines = [
    '[databases]',
    `hub = host=127.0.0.1 port=${port} dbname=${pathname.slice(1)} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 4',
    'unix_socket_dir =',
    `logfile = ${join(folder, 'pooler.log')}`,
    `pidfile = ${join(folder, 'pooler.pid')}`,
  ]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  pooler = spawn('pgbouncer', [...(isRoot ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' })
  await expectOpen(own)
  return `postgres://postgres@127.0.0.1:${own}/hub`
}

async function expectOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const isOpen = await new Promise<boolean>(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (isOpen) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('pgbouncer does not answer')
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'belay-pooler-'))
  chmodSync(folder, 0o755)
  postgres = await startPostgres({ programs: findPrograms() })
  const direct = await postgres.createDatabase()
  const keys = mkdtempSync(join(tmpdir(), 'belay-keys-'))
  env = { PATH: process.env.PATH, HOME: keys, BELAY_HUB_DIRECT_URL: direct, BELAY_HUB_KEY_FILE: join(keys, 'hub.key') }
  env.BELAY_HUB_DATABASE_URL = await startPooler(direct)
})
afterAll(async () => {
  for (const hub of hubs) hub.kill('SIGKILL')
  pooler?.kill('SIGTERM')
  await postgres?.close()
  rmSync(folder, { recursive: true, force: true })
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
