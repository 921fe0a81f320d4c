// A home as version 0.1 left it, recorded from that version: lines that end in `exec`, a client that proves nothing, a database. `doctor` names
// them all, and one command renews them.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { findPackage } from '../config/own-files.ts'
import { type Daemon, startDaemon } from '../daemon/start-daemon.ts'
import { recordPath, sha256 } from '../install/install-record.ts'
import { locateLedger } from '../ledger/ledger-files.ts'
import { loadDriver } from '../store/driver/load-driver.ts'
import { CURRENT_VERSION, migrate } from '../store/migrate.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { VERSION } from './help.ts'
import { runProgram } from './program.ts'

const root = mkdtempSync(join(tmpdir(), 'belay-upgrade-'))
const [user, project] = [join(root, 'user'), join(root, 'project')]
const home = join(user, '.belay')
const env = { HOME: user, PATH: process.env.PATH ?? '', BELAY_NO_AUTOSTART: '1', CC: '/nonexistent/cc' }
const settings = join(user, '.claude', 'settings.json')
let daemon: Daemon | null = null

type Recorded = Readonly<Record<string, { readonly text?: string; readonly gzip?: string }>>

/** What depends on the place is as that version would have written it here: paths, hashes, the names of records. */
function restoreHome(): void {
  const recorded: Recorded = JSON.parse(readFileSync(new URL('./fixtures/home-0.1.json', import.meta.url), 'utf8'))
  const written = new Map<string, string>()
  for (const [name, { text, gzip }] of Object.entries(recorded)) {
    const path = join(root, name)
    const here = text?.replaceAll('@ROOT@', root).replaceAll('@NODE@', process.execPath).replaceAll('@PACKAGE@', findPackage())
    const content = here ?? gunzipSync(Buffer.from(gzip ?? '', 'base64'))
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, content, { mode: /bin\/belay-hook$|Cline\/Hooks/.test(name) ? 0o755 : 0o600 })
    written.set(path, sha256(content))
  }
  const about = join(home, 'bin', 'belay-hook.json')
  writeFileSync(about, JSON.stringify({ ...JSON.parse(readFileSync(about, 'utf8')), sum: written.get(join(home, 'bin', 'belay-hook')) }))
  for (const path of written.keys()) {
    if (!path.includes('/.belay/install/')) continue
    const record = JSON.parse(readFileSync(path, 'utf8'))
    const files = record.files.map((file: { path: string }) => ({ ...file, written: written.get(file.path) }))
    rmSync(path)
    const place = { scope: record.scope, projectRoot: record.projectRoot ?? '' }
    writeFileSync(recordPath(home, record.agent, place), JSON.stringify({ ...record, files }))
  }
}

beforeEach(() => {
  rmSync(root, { recursive: true, force: true })
  mkdirSync(project, { recursive: true })
  spawnSync('git', ['init', '-q', project])
  restoreHome()
})
afterEach(async () => {
  await daemon?.stop()
  daemon = null
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function belay(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const { io, written } = createTestIo({ env, cwd: project, etc: join(root, 'etc') })
  const code = await runProgram(argv, io)
  return { code, ...written }
}

interface Found {
  readonly agent: string | null
  readonly check: string
  readonly state: string
  readonly message: string
  readonly remedy?: string
}

async function findings(): Promise<readonly Found[]> {
  const { out } = await belay('doctor', '--no-live', '--json')
  return (JSON.parse(out) as { findings: Found[] }).findings.filter(({ state }) => state !== 'ok' && state !== 'note')
}

async function up(): Promise<void> {
  const started = await startDaemon({ home, etc: join(root, 'etc'), env, port: 0, version: VERSION, log: () => undefined })
  if (!started.ok) throw new Error(started.why)
  daemon = started.daemon
}

const aboutUpgrade = (found: readonly Found[]) =>
  found
    .filter(({ check }) => check === 'wiring' || check === 'client' || check === 'database')
    .map(({ agent, check, remedy }) => ({ agent, check, remedy }))

test('doctor names every line and the client of version 0.1, each with the one command', async () => {
  await up()
  const found = await findings()
  expect(aboutUpgrade(found)).toEqual([
    { agent: null, check: 'client', remedy: 'belay install --renew' },
    { agent: 'claude-code', check: 'wiring', remedy: 'belay install --renew' },
    // Seven that it wrote, and two that this version writes beside them.
    ...Array.from({ length: 9 }, () => ({ agent: 'cline', check: 'wiring', remedy: 'belay install --renew' })),
    { agent: 'gemini', check: 'wiring', remedy: 'belay install --renew' },
  ])
  expect(found.find(({ agent }) => agent === 'claude-code')?.message).toContain('earlier version')
})

test('a limit that somebody lowered beside a line of version 0.1 is named for itself', async () => {
  const config = JSON.parse(readFileSync(settings, 'utf8'))
  for (const event of ['PreToolUse', 'ConfigChange']) config.hooks[event][0].hooks[0].timeout = 59
  writeFileSync(settings, JSON.stringify(config))
  const messages = (await findings())
    .filter(({ agent, check }) => agent === 'claude-code' && check === 'wiring')
    .map(({ message }) => message)
  expect(messages).toEqual([
    expect.stringContaining('its line is of an earlier version'),
    expect.stringMatching(/PreToolUse: its timeout is 59.*\(installed: 120\)$/),
    expect.stringMatching(/ConfigChange: its timeout is 59.*\(installed: 60\)$/),
  ])
})

test('the one command renews lines, files, client and database, and doctor is content', async () => {
  expect(await belay('install', '--renew')).toMatchObject({ code: 0, err: '' })
  await up()
  expect(aboutUpgrade(await findings())).toEqual([])
  expect(readFileSync(settings, 'utf8')).not.toContain('; exec ')
  expect(readFileSync(settings, 'utf8')).toContain('--proof 90')
  // Once more changes nothing.
  const { out } = await belay('install', '--renew', '--json')
  expect(JSON.parse(out).agents.flatMap(({ changed }: { changed: string[] }) => changed)).toEqual([])
})

test('what was there before Belay comes back when it is taken out of a renewed home', async () => {
  await belay('install', '--renew')
  expect((await belay('uninstall', 'claude-code')).code).toBe(0)
  expect(readFileSync(settings, 'utf8')).toBe('{\n  "model": "opus"\n}\n')
})

test('the database of version 0.1 goes on: its entries hold, and new ones follow', async () => {
  await up()
  await daemon?.stop()
  daemon = null
  const { code, out } = await belay('ledger', 'verify', '--json')
  expect([code, JSON.parse(out).ok]).toEqual([0, true])
})

test('a database of an earlier schema is named, and brought forward by the one command or by `belay up`', async () => {
  const { database } = locateLedger(home)
  const driver = await loadDriver()
  const make = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${database}${end}`, { force: true })
    const connection = driver(database, { readOnly: false })
    migrate(connection, database, CURRENT_VERSION - 2)
    connection.close()
  }
  const version = () => {
    const connection = driver(database, { readOnly: true })
    const rows = connection.prepare('PRAGMA user_version').rows([])
    connection.close()
    return rows[0]?.[0]
  }
  make()
  expect((await findings()).find(({ check }) => check === 'database')).toMatchObject({
    state: 'warn',
    message: expect.stringContaining('older Belay'),
    remedy: 'belay install --renew',
  })
  expect((await belay('install', '--renew')).out).toContain(`database version ${CURRENT_VERSION}`)
  expect(version()).toBe(CURRENT_VERSION)
  make()
  await up()
  expect(version()).toBe(CURRENT_VERSION)
})
