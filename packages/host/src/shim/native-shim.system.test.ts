// The two fast clients, compiled and run for real against sockets that behave and misbehave. Both must do exactly the same.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildNative, buildPerl, NATIVE_FLAGS } from '../install/build-shim.ts'

const native = fileURLToPath(new URL('../../native/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'belay-shim-'))
const socketPath = join(folder, 'shim.sock')
const fallback = join(folder, 'fallback.mjs')

interface Client {
  readonly name: string
  readonly command: string
  readonly before: readonly string[]
}

/** C in every way it can be built here: without the C library, with it inside, with it beside. */
const ways = NATIVE_FLAGS.filter(
  flags => !flags.includes('-static') || (process.platform === 'linux' && (!flags.includes('-nostdlib') || process.arch === 'x64')),
)
const clients: readonly Client[] = [
  ...ways.map((flags, way) => ({ name: `C ${flags.slice(0, 2).join(' ')}`, command: join(folder, `shim-${way}`), before: [] })),
  { name: 'perl', command: 'perl', before: ['-Mstrict', '-Mwarnings', join(native, 'shim.pl')] },
]

let server: Server | null = null

beforeAll(() => {
  for (const [way, flags] of ways.entries()) {
    const checked = [...flags, '-Wall', '-Wextra', '-Werror', '-o', join(folder, `shim-${way}`), join(native, 'shim.c')]
    const built = spawnSync('cc', checked, { encoding: 'utf8' })
    if (built.status !== 0) throw new Error(built.stderr)
  }
  // Stands in for the Node shim: says what it was given.
  writeFileSync(
    fallback,
    "import { readFileSync } from 'node:fs'\nif (process.env.FALLBACK_HANGS) await new Promise(() => setInterval(() => 0, 1e6))\nconst env = process.env.HOOK_SHOWS ? { env: process.env } : {}\nconsole.log(JSON.stringify({ args: process.argv.slice(2), stdin: readFileSync(0).length, ...env }))\nprocess.exit(Number(process.env.FALLBACK_EXIT ?? 92))\n",
  )
})

afterEach(() => new Promise<void>(resolve => (server === null ? resolve() : server.close(() => resolve()))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function serve(answer: (frame: string, socket: Socket) => void): Promise<void> {
  rmSync(socketPath, { force: true })
  const started = createServer(socket => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('error', () => socket.destroy())
    socket.on('data', chunk => {
      text += chunk
      if (text.endsWith('\n')) answer(text, socket)
    })
  })
  server = started
  await new Promise<void>(resolve => started.listen(socketPath, resolve))
}

interface RunOptions {
  readonly client: Client
  readonly payload: string
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  readonly event?: string
}

async function run({ client, payload, env = {}, args = [], event = 'PreToolUse' }: RunOptions) {
  const child = spawn(client.command, [...client.before, '--agent', 'claude-code', '--event', event, ...args], {
    env: { PATH: process.env.PATH, BELAY_SHIM_SOCKET: socketPath, BELAY_SHIM_SCRIPT: fallback, BELAY_SHIM_NODE: process.execPath, ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  child.stdin.on('error', () => child.stdin.destroy())
  child.stdin.end(payload)
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  return { code, stdout, stderr }
}

const say = (exit: number, stdout: string, stderr: string) => `${JSON.stringify({ exit, stdout, stderr })}\n`
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** What the fallback says it was given. */
const given = (...how: string[]) => [
  'hook',
  '--agent',
  'claude-code',
  '--event',
  'PreToolUse',
  '--event-id',
  expect.stringMatching(ID),
  '--proof',
  '90',
  ...how,
]

function expectFallback({ code, stdout, stderr }: Awaited<ReturnType<typeof run>>, bytes: number): void {
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({ args: given('--direct'), stdin: bytes })
}

describe.each(clients)('$name', client => {
  test('prints what the daemon says, byte for byte', async () => {
    const stdout = 'quotes " and \\ tabs\t newlines\n é € 😀 \u0001'
    await serve((_frame, socket) => socket.end(say(0, stdout, 'warn é\n')))
    expect(await run({ client, payload: '{}' })).toEqual({ code: 0, stdout, stderr: 'warn é\n' })
  })

  test('passes the exit code on', async () => {
    await serve((_frame, socket) => socket.end(say(2, '', 'no\n')))
    expect(await run({ client, payload: '{}' })).toEqual({ code: 2, stdout: '', stderr: 'no\n' })
  })

  test.each([
    [0, 90],
    [2, 92],
  ])('proves the answer %i with %i, its own and that of the Node shim', async (exit, proved) => {
    const args = ['--deadline-ms', '20000', '--proof', '90']
    await serve((_frame, socket) => socket.end(say(exit, '', 'why\n')))
    expect(await run({ client, payload: '{}', args })).toEqual({ code: proved, stdout: '', stderr: 'why\n' })
    rmSync(socketPath, { force: true })
    expect((await run({ client, payload: '{}', args, env: { FALLBACK_EXIT: String(proved) } })).code).toBe(proved)
  })

  test('proves a refusal of its own before a tool, and nothing elsewhere', async () => {
    rmSync(socketPath, { force: true })
    const options = { client, payload: '{}', args: ['--deadline-ms', '20000', '--proof', '90'], env: { FALLBACK_EXIT: '0' } }
    expect(await run(options)).toMatchObject({ code: 92, stderr: expect.stringContaining('its fallback failed') })
    expect((await run({ ...options, event: 'Stop' })).code).toBe(1)
  })

  test('sends one line of JSON with the payload, the project and the identity', async () => {
    let frame: Record<string, unknown> = {}
    await serve((text, socket) => {
      frame = JSON.parse(text)
      socket.end(say(0, '', ''))
    })
    const env = { AGENT_ID: 'a "quoted" id', CLAUDE_PROJECT_DIR: '/x y', GEMINI_API_KEY: 'secret', CLAUDE_CODE_MESSAGING_TOKEN: 'secret' }
    await run({ client, payload: '{"tool_input":\r\n {"command":"printf \'a\\nb\'"}}\n', env, args: ['--deadline-ms', '9000'] })
    expect(frame).toEqual({
      agent: 'claude-code',
      event: 'PreToolUse',
      'event-id': expect.stringMatching(ID),
      cwd: process.cwd(),
      attended: false,
      'deadline-ms': 9000,
      env: { AGENT_ID: 'a "quoted" id', CLAUDE_PROJECT_DIR: '/x y' },
      parent: process.pid,
      payload: { tool_input: { command: "printf 'a\nb'" } },
    })
  })

  test('a payload of 5 MB arrives whole', async () => {
    let length = 0
    await serve((text, socket) => {
      length = JSON.parse(text).payload.text.length
      socket.end(say(0, 'ok', ''))
    })
    expect(await run({ client, payload: JSON.stringify({ text: 'x'.repeat(5_000_000) }) })).toEqual({ code: 0, stdout: 'ok', stderr: '' })
    expect(length).toBe(5_000_000)
  })

  test('an answer of 2 MB is printed whole', async () => {
    await serve((_frame, socket) => socket.end(say(0, 'y'.repeat(2_000_000), '')))
    expect((await run({ client, payload: '{}' })).stdout).toHaveLength(2_000_000)
  })

  test('waits on while the daemon sends blanks, longer than it bears silence', async () => {
    await serve((_frame, socket) => {
      const alive = setInterval(() => socket.write(' '), 1000)
      setTimeout(() => {
        clearInterval(alive)
        socket.end(say(0, 'at last', ''))
      }, 6500)
    })
    expect(await run({ client, payload: '{}' })).toEqual({ code: 0, stdout: 'at last', stderr: '' })
  })

  test('a daemon that was found hanging is listened to for a moment only, and one that was not is waited for', async () => {
    await serve((_frame, socket) => void setTimeout(() => socket.end(say(0, 'late', '')), 2000))
    expect(await run({ client, payload: '{}' })).toEqual({ code: 0, stdout: 'late', stderr: '' })
    writeFileSync(`${socketPath}.hung`, '')
    expectFallback(await run({ client, payload: '{}' }), 2)
    await serve((_frame, socket) => socket.end(say(0, 'at once', '')))
    expect(await run({ client, payload: '{}' })).toEqual({ code: 0, stdout: 'at once', stderr: '' })
    rmSync(`${socketPath}.hung`)
  })

  test('remembers that the daemon hangs', async () => {
    await serve(() => undefined)
    expectFallback(await run({ client, payload: '{}' }), 2)
    expect(readFileSync(`${socketPath}.hung`, 'utf8')).toBe('\n')
    rmSync(`${socketPath}.hung`)
  })

  test('lets the Node shim look for the daemon where it does not know of a socket', async () => {
    const env = { BELAY_SHIM_SOCKET: '', BELAY_HOME: join(folder, 'other-home') }
    expect(JSON.parse((await run({ client, payload: '{}', env })).stdout).args).toEqual(given())
  })

  const misbehaving: readonly [string, (frame: string, socket: Socket) => void][] = [
    ['says it is busy', (_frame, socket) => socket.end('{"busy":"overloaded"}\n')],
    ['closes without a word', (_frame, socket) => socket.end()],
    ['dies in the middle of an answer', (_frame, socket) => socket.end('{"exit":0,"stdout":"hal')],
    ['answers garbage', (_frame, socket) => socket.end('hello\n')],
    ['answers an exit code that is none', (_frame, socket) => socket.end('{"exit":-1,"stdout":"","stderr":""}\n')],
    ['answers two objects on a line', (_frame, socket) => socket.end('{"exit":0,"stdout":"","stderr":""}{}\n')],
    ['drops the connection', (_frame, socket) => socket.destroy()],
    ['never answers', () => undefined],
  ]
  test.each(misbehaving)('asks the Node shim when the daemon %s', async (_title, answer) => {
    await serve(answer)
    expectFallback(await run({ client, payload: '{"a":1}', args: ['--deadline-ms', '300'] }), 7)
    server?.close()
    server = null
  })

  test('asks the Node shim when there is no daemon, with all of a large payload', async () => {
    rmSync(socketPath, { force: true })
    expectFallback(await run({ client, payload: 'x'.repeat(300_000) }), 300_000)
  })

  test('the Node shim gets the id that the daemon was sent, each call another', async () => {
    const sent: string[] = []
    await serve((text, socket) => {
      sent.push(JSON.parse(text)['event-id'])
      socket.destroy()
    })
    const handed: string[] = []
    for (let call = 0; call < 2; call++) handed.push(JSON.parse((await run({ client, payload: '{}' })).stdout).args[6])
    expect(handed).toEqual(sent)
    expect(new Set(sent).size).toBe(2)
  })

  test('refuses when nobody reads its answer', async () => {
    await serve((_frame, socket) => socket.end(say(0, 'x'.repeat(100_000), '')))
    const child = spawn(client.command, [...client.before, '--agent', 'claude-code', '--event', 'PreToolUse'], {
      env: { PATH: process.env.PATH, BELAY_SHIM_SOCKET: socketPath },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.stdout.destroy()
    child.stdin.end('{}')
    expect(await new Promise(resolve => child.on('close', (code, signal) => resolve([code, signal])))).toEqual([2, null])
  })

  test('refuses when there is neither a daemon nor a fallback', async () => {
    rmSync(socketPath, { force: true })
    const { code, stdout, stderr } = await run({ client, payload: '{}', env: { BELAY_SHIM_SCRIPT: '' } })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Tool denied: Belay: the daemon does not answer')
  })

  test('refuses where no file may grow: there is no room for the payload', () => {
    rmSync(socketPath, { force: true })
    const line = ['ulimit -f 0; exec "$0" "$@"', client.command, ...client.before, '--agent', 'claude-code', '--event', 'PreToolUse']
    const { status, stdout, stderr } = spawnSync('sh', ['-c', ...line], {
      env: { PATH: process.env.PATH, BELAY_SHIM_SOCKET: socketPath, BELAY_SHIM_SCRIPT: fallback, BELAY_SHIM_NODE: process.execPath },
      input: '{}',
      encoding: 'utf8',
    })
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain('Tool denied: Belay: there is no room for the payload')
  })

  const broken: readonly [string, Readonly<Record<string, string>>][] = [
    ['ends with 1', { FALLBACK_EXIT: '1' }],
    ['ends with 0 and no proof', { FALLBACK_EXIT: '0' }],
    ['ends with 2 and no proof', { FALLBACK_EXIT: '2' }],
    ['ends with 7', { FALLBACK_EXIT: '7' }],
    ['is not there', { BELAY_SHIM_SCRIPT: '/nonexistent/belay.cjs' }],
  ]
  test.each(broken)('refuses when the Node shim %s, because agents run the tool on such a code', async (_title, env) => {
    rmSync(socketPath, { force: true })
    const { code, stderr } = await run({ client, payload: '{}', env })
    expect([code, stderr.includes('its fallback failed')]).toEqual([2, true])
  })

  test.each(['Stop', 'AfterAgent', 'UserPromptSubmit', 'SessionEnd', 'PostToolUse', 'PreCompact', 'PreModelSwitch'])(
    'does not hold the agent up at %s',
    async event => {
      rmSync(socketPath, { force: true })
      expect((await run({ client, payload: '{}', event, env: { FALLBACK_EXIT: '7' } })).code).toBe(1)
    },
  )

  test.each([
    'BeforeTool',
    'preToolUse',
    'pre_run_command',
    'tool_call',
    'tool.execute.before',
    'beforeShellExecution',
    'reference-transaction',
    'ConfigChange',
  ])('refuses at %s', async event => {
    rmSync(socketPath, { force: true })
    expect((await run({ client, payload: '{}', event, env: { FALLBACK_EXIT: '7' } })).code).toBe(2)
  })
})

test('a Node shim that hangs is ended, and the call refused, before the agent stops waiting', { timeout: 120_000 }, async () => {
  rmSync(socketPath, { force: true })
  const runs = clients.map(client => run({ client, payload: '{}', args: ['--deadline-ms', '300'], env: { FALLBACK_HANGS: '1' } }))
  for (const { code, stdout, stderr } of await Promise.all(runs)) {
    expect([code, stdout, stderr.includes('its fallback failed')]).toEqual([2, '', true])
  }
})

/** Listens, and never takes a connection: it is stopped. */
const STANDS_STILL = `
require('node:net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => { console.log('up'); process.kill(process.pid, 'SIGSTOP') })
`

test('a daemon that stands still while others wait at its door holds no client', { timeout: 120_000 }, async () => {
  rmSync(socketPath, { force: true })
  const still = spawn(process.execPath, ['-e', STANDS_STILL, socketPath], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise(resolve => still.stdout.once('data', resolve))
  const waiting = Array.from({ length: 5 }, () => connect(socketPath).on('error', () => undefined))
  await new Promise(resolve => setTimeout(resolve, 200))
  for (const client of clients) expectFallback(await run({ client, payload: '{}' }), 2)
  for (const socket of waiting) socket.destroy()
  still.kill('SIGKILL')
})

describe.each([
  ['C', buildNative],
  ['perl', buildPerl],
] as const)('%s, built for a home', (name, build) => {
  const path = join(folder, `built-${name}`)
  const client: Client = { name, command: path, before: [] }
  const hostile = {
    BELAY_HOME: '/elsewhere',
    HOME: '/elsewhere',
    NODE_OPTIONS: '--require /nonexistent.cjs',
    NODE_PATH: '/x',
    PERL5OPT: '-MNone',
  }
  const env = { BELAY_SHIM_SOCKET: '/nonexistent', BELAY_SHIM_SCRIPT: '/nonexistent', BELAY_SHIM_NODE: '/bin/true', ...hostile }
  beforeAll(() => {
    const options = {
      path,
      home: folder,
      socket: socketPath,
      native,
      node: process.execPath,
      script: fallback,
      env: { PATH: process.env.PATH, LANG: 'C', HOME: "/a 'b' \\c", XDG_X: 'two\nlines', NODE_OPTIONS: '' },
    }
    expect(build(options)).toBeNull()
  })

  test('a project cannot lead it elsewhere by variables', async () => {
    await serve((_frame, socket) => socket.end(say(0, 'the daemon', '')))
    expect((await run({ client, payload: '{}', env })).stdout).toBe('the daemon')
  })

  test('nor give it another fallback', async () => {
    rmSync(socketPath, { force: true })
    expectFallback(await run({ client, payload: '{}', env }), 2)
  })

  test('nor hand on anything that could load code', async () => {
    rmSync(socketPath, { force: true })
    const handed = {
      AGENT_ID: 'a b',
      BELAY_AGENT_SECRET: 's',
      CLAUDE_PROJECT_DIR: '/p\nNODE_OPTIONS=x',
      OPENAI_API_KEY: 'k',
      HOOK_SHOWS: '1',
    }
    const { stdout } = await run({ client, payload: '{}', env: { ...env, ...handed } })
    expect(JSON.parse(stdout).env).toEqual({ ...handed, BELAY_HOME: folder, PATH: process.env.PATH, LANG: 'C', HOME: "/a 'b' \\c" })
  })
})
