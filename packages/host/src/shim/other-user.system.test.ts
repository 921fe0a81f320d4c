// Another user of the machine makes the folder of the sockets first, in a temp directory that everybody shares, and listens there: no client
// sends him anything, each judges alone, the daemon does not come up there, and doctor says why. He is a real user id where the tests run as
// root; what he could plant beside that is a link or a folder open to everybody.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildNative, buildNode, buildPerl } from '../install/build-shim.ts'
import { type BundledCli, bundleCli } from '../supervisor/fixtures/bundled-cli.ts'
import { runPaths } from '../wire/run-paths.ts'

const native = fileURLToPath(new URL('../../native/', import.meta.url))
const BUILDERS = { native: buildNative, perl: buildPerl, node: buildNode }
const STRANGER = 54_321

let cli: BundledCli
let env: BundledCli['env']
let shared: string
let home: string
let socket: string

beforeAll(async () => {
  cli = await bundleCli()
  shared = join(cli.folder, 'shared')
  mkdirSync(shared)
  chmodSync(shared, 0o1777)
  chmodSync(cli.folder, 0o755)
  // So deep that its sockets go to the shared directory.
  home = join(cli.home, 'x'.repeat(100))
  env = { ...cli.env, BELAY_HOME: home, XDG_RUNTIME_DIR: shared }
  mkdirSync(join(home, 'policy'), { recursive: true, mode: 0o700 })
  const policy = join(home, 'policy', 'genesis.key')
  writeFileSync(policy, 'version: "2.0"\npermissions: {default: none, actors: {"agent:*": {deny: ["Bash(rm *)"]}}}\n')
  socket = runPaths(home, env).shimSocket
  expect(socket.startsWith(shared)).toBe(true)
  for (const [kind, build] of Object.entries(BUILDERS))
    expect(build({ path: clientOf(kind), home, socket, native, node: process.execPath, script: cli.bin, env })).toBeNull()
})
afterAll(() => cli.remove())

const clientOf = (kind: string) => join(cli.folder, `client-${kind}`)

function call(kind: string, command: string) {
  const payload = JSON.stringify({ session_id: 's', cwd: cli.project, tool_name: 'Bash', tool_input: { command }, tool_use_id: 't' })
  const words = ['--agent', 'claude-code', '--event', 'PreToolUse', '--deadline-ms', '20000']
  return new Promise<string>((resolve, reject) => {
    const child = spawn(clientOf(kind), words, { cwd: cli.project, env })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', piece => (said += piece))
    child.on('error', reject)
    child.on('close', () => resolve(said))
    child.stdin.end(payload)
  })
}

interface Listener {
  /** All that was sent to him, also that somebody came. */
  heard(): string
  end(): Promise<void>
}

/** Says yes to everything. */
const STRANGERS_SERVER = `
const { appendFileSync, mkdirSync, chmodSync } = require('node:fs')
const [, socket, log, mode] = process.argv
mkdirSync(require('node:path').dirname(socket))
chmodSync(require('node:path').dirname(socket), parseInt(mode, 8))
require('node:net').createServer(client => {
  appendFileSync(log, 'somebody came')
  client.on('error', () => 0)
  client.on('data', piece => { appendFileSync(log, piece); client.end('{"exit":0,"stdout":"","stderr":""}\\n') })
}).listen(socket, () => { chmodSync(socket, 0o777); appendFileSync(log, '') ; console.log('up') })
`

async function strangerListens(mode: string): Promise<Listener> {
  const log = join(shared, `heard-${mode}-${Date.now()}`)
  const options = process.getuid?.() === 0 ? { uid: STRANGER, gid: STRANGER } : {}
  const child: ChildProcess = spawn(process.execPath, ['-e', STRANGERS_SERVER, socket, log, mode], {
    ...options,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise(resolve => child.stdout?.once('data', resolve))
  return {
    heard: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
    end: () =>
      new Promise(resolve => {
        child.on('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

/** In this process, where ownership plays no part. */
async function listenThere(): Promise<Listener> {
  let heard = ''
  const server: Server = createServer(client => {
    heard += 'somebody came'
    client.on('error', () => client.destroy())
    client.on('data', piece => {
      heard += piece
      client.end('{"exit":0,"stdout":"","stderr":""}\n')
    })
  })
  await new Promise<void>(resolve => server.listen(socket, resolve))
  return { heard: () => heard, end: () => new Promise(resolve => server.close(() => resolve())) }
}

const PLANTED: Readonly<Record<string, () => Promise<Listener>>> = {
  'a folder of his own': () => strangerListens('755'),
  'a folder of his own that everybody may write to': () => strangerListens('777'),
  'a link to a folder elsewhere': async () => {
    const elsewhere = join(shared, 'elsewhere')
    mkdirSync(elsewhere, { mode: 0o700 })
    symlinkSync(elsewhere, dirname(socket))
    return listenThere()
  },
  'a folder of ours that everybody may write to': async () => {
    mkdirSync(dirname(socket))
    chmodSync(dirname(socket), 0o777)
    return listenThere()
  },
}

describe.each(Object.entries(PLANTED))('%s', (_name, plant) => {
  afterEach(() => {
    rmSync(dirname(socket), { recursive: true, force: true })
    rmSync(join(shared, 'elsewhere'), { recursive: true, force: true })
  })

  test('nothing is sent there, and the policy holds', async () => {
    const listener = await plant()
    for (const kind of Object.keys(BUILDERS)) expect(await call(kind, 'rm x'), kind).toContain('Bash(rm *)')
    expect(listener.heard()).toBe('')
    const up = await cli.run(['up', '--port', '0'], { env })
    expect(up.code).toBe(2)
    expect(up.err).toMatch(/cannot use .*(belongs to user|is a link|open to other users)/)
    const doctor = await cli.run(['doctor', '--json'], { env })
    expect(doctor.out).toMatch(/"check": "socket",\s+"state": "fail",\s+"message": ".*(belongs to user|is a link|open to other users)/)
    expect(listener.heard()).toBe('')
    await listener.end()
  })
})

test('where the folder is ours alone, the daemon is asked', async () => {
  mkdirSync(dirname(socket), { mode: 0o700 })
  const listener = await listenThere()
  for (const kind of Object.keys(BUILDERS)) expect(await call(kind, 'rm x'), kind).toBe('')
  expect(listener.heard().match(/somebody came/g)).toHaveLength(3)
  await listener.end()
})
