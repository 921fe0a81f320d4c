// With the daemon away nothing is known less, seen from outside: the three clients as they are installed, a daemon as a process of its own that
// is killed (kill -9) and started anew, and the same calls before, between and after.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyProcessIsAPersons } from '../daemon/fixtures/run-daemon.ts'
import { startDaemon } from '../daemon/start-daemon.ts'
import { readPid } from '../daemon/torture/fixtures/torture-daemon.ts'
import { buildNative, buildNode, buildPerl } from '../install/build-shim.ts'
import { createSecret, hashSecret } from '../state/agent-binding.ts'
import { type BundledCli, bundleCli } from '../supervisor/fixtures/bundled-cli.ts'
import { askDaemon } from '../wire/daemon-client.ts'
import { type RunPaths, runPaths } from '../wire/run-paths.ts'
import { AWAY_POLICY, type AwayCall, knownCases, makeKnown, makePlaces, type Place, type Secrets } from './fixtures/away.ts'

const native = fileURLToPath(new URL('../../native/', import.meta.url))
const BUILDERS = { native: buildNative, perl: buildPerl, node: buildNode }

let cli: BundledCli
let paths: RunPaths
let place: Place
let secrets: Secrets

beforeAll(async () => {
  cli = await bundleCli()
  paths = runPaths(cli.home, cli.env)
  place = makePlaces(cli.folder, cli.project)
  writeFileSync(join(cli.project, '.belay', 'genesis.key'), AWAY_POLICY)
  await run('policy', 'trust')
  for (const [kind, build] of Object.entries(BUILDERS)) {
    const built = {
      path: clientOf(kind),
      home: cli.home,
      socket: paths.shimSocket,
      native,
      node: process.execPath,
      script: cli.bin,
      env: cli.env,
    }
    expect(build(built)).toBeNull()
  }
  secrets = await prepare()
  await run('up', '--detach', '--port', '0')
})
afterAll(async () => {
  await cli.run(['down'])
  cli.remove()
})

const clientOf = (kind: string) => join(cli.folder, `client-${kind}`)

async function run(...argv: string[]): Promise<void> {
  const { code, err } = await cli.run(argv)
  expect({ argv, code, err }).toMatchObject({ argv, code: 0 })
}

/** Roles are for people to give: a daemon in this process takes the test for one. */
async function prepare(): Promise<Secrets> {
  const where = { home: cli.home, etc: join(cli.home, 'etc'), env: cli.env, port: 0, version: '0.0.0' }
  const started = await startDaemon({ ...where, prove: everyProcessIsAPersons, log: () => undefined })
  if (!started.ok) throw new Error(started.why)
  const made = await makeKnown({ bind, rpc, call: each => call('native', each) }, place)
  await started.daemon.stop()
  return made
}

async function rpc(method: string, params: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
  const answer = await askDaemon({ socket: paths.socket, method: 'POST', path: '/v1/rpc', body: { jsonrpc: '2.0', id: 1, method, params } })
  const value = (answer.kind === 'answer' ? answer.value : answer) as { readonly result?: Readonly<Record<string, unknown>> }
  if (value.result === undefined) throw new Error(`${method}: ${JSON.stringify(value)}`)
  return value.result
}

async function bind(id: string, role: string): Promise<string> {
  const secret = createSecret()
  await rpc('agent.bind', { id, role, secretHash: hashSecret(secret) })
  return secret
}

function call(kind: string, { command, session, cwd = cli.project, env = {}, fields = {} }: AwayCall): Promise<string> {
  const payload = { session_id: session, cwd, tool_name: 'Bash', tool_input: { command }, tool_use_id: 't', ...fields }
  const words = ['--agent', 'claude-code', '--event', 'PreToolUse', '--deadline-ms', '60000']
  const child = spawn(clientOf(kind), words, { cwd: '/', env: { ...cli.env, CLAUDE_CODE_SESSION_ATTENDED: '1', ...env } })
  let out = ''
  child.stdout.on('data', piece => {
    out += piece
  })
  child.stdin.end(JSON.stringify(payload))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve(out === '' ? 'nothing' : String(JSON.parse(out).hookSpecificOutput?.permissionDecision)))
  })
}

async function kill(): Promise<void> {
  const pid = readPid(paths)
  process.kill(pid, 'SIGKILL')
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await sleep(20)
  }
}

test('the same answers before a kill -9, after it, and once the daemon is back', async () => {
  const cases = knownCases(place, secrets)
  const answers = async () => {
    const given: Record<string, string> = {}
    for (const kind of Object.keys(BUILDERS))
      for (const each of cases) given[`${kind}: ${each.what}, ${each.call.command}`] = await call(kind, each.call)
    return given
  }
  const expected = Object.fromEntries(
    Object.keys(BUILDERS).flatMap(kind => cases.map(each => [`${kind}: ${each.what}, ${each.call.command}`, each.decision])),
  )
  expect(await answers()).toEqual(expected)
  await kill()
  expect(await answers()).toEqual(expected)
  await run('up', '--detach', '--port', '0')
  expect(await answers()).toEqual(expected)
})

test('a session that begins without the daemon stays where it began', async () => {
  await kill()
  const begun = { session: 'begun-alone', env: { AGENT_ID: 'plain' } }
  const elsewhere = { ...begun, command: 'never x', cwd: place.bare }
  expect(await call('native', { ...begun, command: 'ls' })).toBe('allow')
  for (const kind of Object.keys(BUILDERS)) expect(await call(kind, elsewhere)).toBe('deny')
  await run('up', '--detach', '--port', '0')
  for (const kind of Object.keys(BUILDERS)) expect(await call(kind, elsewhere)).toBe('deny')
  await kill()
  for (const kind of Object.keys(BUILDERS)) expect(await call(kind, elsewhere)).toBe('deny')
  await run('up', '--detach', '--port', '0')
})
