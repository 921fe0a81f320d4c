// Agents whose hook is a program of ours, and git: each against the ways in which its client can be lost. Only an answer that the client
// proves by its exit code lets a tool, or a commit, go on.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildNative, buildPerl } from '../../install/build-shim.ts'
import { git } from '../git.ts'
import { opencodePlugin } from './opencode.ts'
import { piExtension } from './pi.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-lost-'))
const shim = join(folder, 'belay-hook')
const before = process.cwd()
// A shell that takes a broken client for a script may write files where it stands.
beforeAll(() => process.chdir(folder))
afterAll(() => {
  process.chdir(before)
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => rmSync(shim, { recursive: true, force: true }))
beforeAll(() => {
  const native = fileURLToPath(new URL('../../../native/', import.meta.url))
  const options = {
    home: folder,
    socket: join(folder, 'no.sock'),
    native,
    node: join(folder, 'refusing-node'),
    script: join(folder, 'script'),
  }
  writeFileSync(options.node, "#!/bin/sh\necho 'Tool denied: no' >&2; exit 92\n", { mode: 0o755 })
  expect(buildNative({ ...options, env: { PATH: process.env.PATH }, path: join(folder, 'native') })).toBeNull()
  expect(buildPerl({ ...options, env: { PATH: process.env.PATH }, path: join(folder, 'perl') })).toBeNull()
})

const client = (text: string | Uint8Array, mode = 0o755) => writeFileSync(shim, text, { mode })
const script = (text: string) => () => client(`#!/bin/sh\n${text}\n`)
const cut = (kind: string, part: number) => () => {
  const whole = readFileSync(join(folder, kind))
  client(whole.subarray(0, Math.floor(whole.length * part)))
}
const FAULTS: readonly (readonly [string, () => void])[] = [
  ['is gone', () => undefined],
  ['may not be run', () => client('#!/bin/sh\nexit 90\n', 0o644)],
  ['is empty', () => client('')],
  ['is a folder', () => mkdirSync(shim)],
  ['is a text', () => client('hello\n')],
  ['is true', () => copyFileSync('/bin/true', shim)],
  ['has no interpreter', () => client('#!/nonexistent/perl\nexit 90\n')],
  [
    'is of another machine',
    () => {
      const bytes = Uint8Array.from(readFileSync(join(folder, 'native')))
      bytes[18] = 0xb7
      client(bytes)
    },
  ],
  ...[0.01, 0.3, 0.7, 0.95].map(part => [`is native and ends at ${part}`, cut('native', part)] as const),
  ...[0.01, 0.3, 0.7, 0.9].map(part => [`is perl and ends at ${part}`, cut('perl', part)] as const),
  ...[0, 1, 2, 88, 91, 93, 126, 127, 255].map(code => [`ends with ${code}`, script(`exit ${code}`)] as const),
  ...['KILL', 'SEGV', 'TERM', 'HUP', 'PIPE'].map(name => [`is ended by ${name}`, script(`kill -${name} $$; sleep 5`)] as const),
  ['allows without a proof', script(`echo '{"decision":"allow"}'`)],
  ['dies in its answer', script(`printf '{"hookSpe'; kill -KILL $$`)],
  ['proves an answer that is none', script(`cat >/dev/null; printf '{"hookSpe'; exit 90`)],
  ['proves nothing at all', script('cat >/dev/null; echo null; exit 90')],
]

/** Runs a tool as the agent would: whether it was stopped. */
type Attempt = () => Promise<boolean>

async function plugin(agent: 'opencode' | 'kilo'): Promise<Attempt> {
  const file = join(folder, `${agent}.mjs`)
  writeFileSync(file, opencodePlugin(agent, shim))
  const { Belay } = (await import(file)) as { Belay: (input: object) => Promise<Record<string, (...args: object[]) => Promise<void>>> }
  const none = { mcp: { status: async () => ({ data: {} }) }, tool: { ids: async () => ({ data: [] }) } }
  const hooks = await Belay({ directory: folder, client: none })
  const call = { tool: 'bash', sessionID: 's', callID: 'c' }
  return async () =>
    (await hooks['tool.execute.before']?.(call, { args: { command: 'ls' } }).then(
      () => false,
      () => true,
    )) ?? false
}

type PiHandler = (event: object, context: object) => Promise<{ readonly block?: boolean } | undefined>

async function extension(): Promise<Attempt> {
  const file = join(folder, 'pi.mjs')
  writeFileSync(file, piExtension(shim))
  const handlers = new Map<string, PiHandler>()
  const { default: load } = (await import(file)) as { default: (pi: object) => void }
  load({ on: (name: string, handler: PiHandler) => handlers.set(name, handler) })
  const event = { toolName: 'bash', input: { command: 'ls' }, toolCallId: 'c' }
  return async () =>
    (await handlers
      .get('tool_call')?.(event, { cwd: folder })
      .then(
        answer => answer?.block === true,
        () => true,
      )) ?? false
}

const place = { scope: 'project', userHome: folder, projectRoot: join(folder, 'repository'), shim } as const

/** The hooks of git, fed as git feeds them. */
function gitHook(name: string, args: readonly string[], input: string): Attempt {
  if (!existsSync(place.projectRoot)) spawnSync('git', ['init', '-q', place.projectRoot])
  const file = git.target?.files({ ...place, env: {} }).find(({ path }) => path.endsWith(`/${name}`))
  if (file?.kind !== 'own') throw new Error('no hook')
  const path = join(folder, name)
  writeFileSync(path, file.text, { mode: 0o755 })
  return async () => {
    const env = { PATH: process.env.PATH, CLAUDECODE: '1' }
    const { status } = spawnSync(path, args, { input, env, cwd: place.projectRoot })
    return status !== null && status !== 0
  }
}

const ZEROES = '0'.repeat(40)
const UPDATE = `${ZEROES} ${'1'.repeat(40)} refs/heads/x\n`
const DOORS: readonly (readonly [string, () => Attempt | Promise<Attempt>])[] = [
  ['opencode', () => plugin('opencode')],
  ['kilo', () => plugin('kilo')],
  ['pi', extension],
  ['git commit', () => gitHook('pre-commit', [], '')],
  ['git push', () => gitHook('pre-push', ['origin'], `x ${ZEROES} refs/heads/x ${'1'.repeat(40)}\n`)],
  ['git update-ref', () => gitHook('reference-transaction', ['prepared'], UPDATE)],
]

describe.each(DOORS)('%s', (door, open) => {
  test('goes on where the client proves that it may', async () => {
    script('cat >/dev/null; exit 90')()
    expect(await (await open())()).toBe(false)
  })

  test.each(FAULTS.filter(([title]) => !(door.startsWith('git') && title.startsWith('proves'))))(
    'a client that %s',
    async (_title, breakClient) => {
      breakClient()
      expect(await (await open())()).toBe(true)
    },
  )

  test('is refused where the client proves that it may not', async () => {
    script('cat >/dev/null; echo "Tool denied: no" >&2; exit 92')()
    expect(await (await open())()).toBe(true)
  })
})
