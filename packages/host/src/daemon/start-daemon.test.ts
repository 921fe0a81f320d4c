import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askDaemon } from '../wire/daemon-client.ts'
import { runPaths } from '../wire/run-paths.ts'
import { type Daemon, startDaemon } from './start-daemon.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-daemon-'))
const home = join(folder, 'home')
const project = join(folder, 'project')
const paths = runPaths(home, {})
const logged: unknown[] = []
let daemon: Daemon

const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      allow: ["Bash(git *)"]
      deny: ["Bash(git push *)"]
`

beforeAll(async () => {
  mkdirSync(join(project, '.belay'), { recursive: true })
  writeFileSync(join(project, '.belay', 'genesis.key'), POLICY)
  const started = await startDaemon({
    home,
    etc: join(folder, 'etc'),
    env: { PATH: process.env.PATH, HOME: folder },
    port: 0,
    version: '0.0.0',
    log: line => void logged.push(line),
  })
  if (!started.ok) throw new Error(started.why)
  daemon = started.daemon
})
afterAll(async () => {
  await daemon.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('a run folder that is a link is refused before anything is written there', async () => {
  const [led, elsewhere] = [join(folder, 'led'), join(folder, 'elsewhere')]
  for (const path of [led, elsewhere]) mkdirSync(path)
  symlinkSync(elsewhere, join(led, 'run'))
  const started = await startDaemon({ home: led, etc: join(folder, 'etc'), env: {}, port: 0, version: '0.0.0', log: () => undefined })
  expect(started).toEqual({ ok: false, why: expect.stringContaining(`${join(led, 'run')} is a link`) })
  expect(readdirSync(elsewhere)).toEqual([])
})

const payload = (command: string) => ({
  session_id: 's1',
  cwd: project,
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: 't1',
})

function shim(frame: unknown): Promise<{ exit: number; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = createConnection(paths.shimSocket, () => socket.write(`${JSON.stringify(frame)}\n`))
    socket.on('error', reject)
    socket.on('data', chunk => {
      text += chunk
      if (!text.endsWith('\n')) return
      socket.end()
      resolve(JSON.parse(text))
    })
  })
}

test('a denied call is denied in the words of the agent, and recorded before the answer', async () => {
  const answer = await shim({ agent: 'claude-code', event: 'PreToolUse', payload: payload('git status && git push origin main') })
  expect(answer.exit).toBe(0)
  expect(JSON.parse(answer.stdout).hookSpecificOutput).toMatchObject({
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('git push'),
  })
})

test('both doors give the same answer', async () => {
  const http = await askDaemon({ socket: paths.socket, method: 'POST', path: '/v1/hooks/codex/PreToolUse', body: payload('git push') })
  const line = await shim({ agent: 'codex', event: 'PreToolUse', payload: payload('git push') })
  expect(http).toEqual({ kind: 'answer', status: 200, value: JSON.parse(line.stdout) })
})

test('nothing to say is an empty answer', async () => {
  expect(
    await shim({
      agent: 'claude-code',
      event: 'PostToolUse',
      payload: { session_id: 's1', tool_name: 'Bash', tool_input: {}, tool_response: {} },
    }),
  ).toEqual({ exit: 0, stdout: '', stderr: '' })
})

test('a payload that cannot be read denies the tool and lets everything else go on', async () => {
  const answer = await shim({ agent: 'claude-code', event: 'PreToolUse', payload: { session_id: 's1', tool_input: 'x' } })
  expect(JSON.parse(answer.stdout).hookSpecificOutput.permissionDecision).toBe('deny')
  expect(await shim({ agent: 'claude-code', event: 'Stop', payload: {} })).toEqual({ exit: 0, stdout: '', stderr: '' })
})

test('a policy that changes holds a moment later; a broken one changes nothing', async () => {
  const file = join(project, '.belay', 'genesis.key')
  const decide = async (command: string) => {
    const { stdout } = await shim({ agent: 'claude-code', event: 'PreToolUse', payload: payload(command) })
    return stdout === '' ? 'none' : JSON.parse(stdout).hookSpecificOutput.permissionDecision
  }
  expect(await decide('npm publish')).toBe('none')
  writeFileSync(file, POLICY.replace('git push *)', 'npm publish *)'))
  await expect.poll(() => decide('npm publish')).toBe('deny')
  writeFileSync(file, 'version: "2.0"\npermissions: [')
  const isNoticed = async () => {
    expect(await decide('npm publish')).toBe('deny')
    return logged
  }
  await expect
    .poll(isNoticed)
    .toContainEqual(expect.objectContaining({ message: 'a policy is broken; its last good version stays in force' }))
  writeFileSync(file, POLICY)
  await expect.poll(() => decide('npm publish')).toBe('none')
})

test('status, health, metrics and the description of it all', async () => {
  const rpc = await askDaemon({
    socket: paths.socket,
    method: 'POST',
    path: '/v1/rpc',
    body: { jsonrpc: '2.0', id: 1, method: 'daemon.status' },
  })
  expect(rpc).toMatchObject({ status: 200, value: { result: { pid: process.pid, socket: paths.socket, url: daemon.url } } })
  expect(await askDaemon({ socket: paths.socket, method: 'GET', path: '/metrics' })).toMatchObject({
    status: 200,
    value: expect.stringMatching(/belay_team_lag_entries 0\n.*belay_decision_seconds_count/s),
  })
  expect(await askDaemon({ socket: paths.socket, method: 'GET', path: '/openapi.json' })).toMatchObject({
    value: { openapi: '3.1.0', paths: { '/v1/hooks/{agent}/{event}': {} } },
  })
})

test('the description is whole: what is referred to is there, every method is named, a call can be made from it', async () => {
  const answer = await askDaemon({ socket: paths.socket, method: 'GET', path: '/openapi.json' })
  if (answer.kind !== 'answer') throw new Error(answer.kind)
  const { paths: routes, components } = answer.value as { paths: Routes; components: { schemas: Record<string, object> } }
  const referred = [...JSON.stringify(answer.value).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name ?? '')
  expect(referred.filter(name => !(name in components.schemas))).toEqual([])
  expect(components.schemas.RpcRequest).toMatchObject({
    properties: { method: { enum: expect.arrayContaining(['hooks.preToolUse', 'hooks.configChange', 'effort.start', 'daemon.status']) } },
  })
  const hook = routes['/v1/hooks/{agent}/{event}']?.post
  expect(hook?.parameters?.map(({ name, in: place }) => `${place} ${name}`)).toEqual(
    expect.arrayContaining(['path agent', 'path event', 'header belay-agent-id', 'header belay-event-id', 'header belay-attended']),
  )
  expect([hook, routes['/v1/rpc']?.post].map(route => route?.requestBody !== undefined)).toEqual([true, true])
})

type Routes = Record<string, Record<string, { parameters?: { name: string; in: string }[]; requestBody?: object }>>

test('a second daemon on the same home is refused', async () => {
  await expect(startDaemon({ home, etc: folder, env: {}, port: 0, version: '0.0.0', log: () => undefined })).rejects.toThrow()
})

describe('a daemon that does not come up', () => {
  const start = (place: string, port: number | null = null) =>
    startDaemon({ home: place, etc: folder, env: {}, port, version: '0.0.0', log: () => undefined })

  test.each<[what: string, prepare: (place: string) => number | null, why: RegExp]>([
    ['a port that there is not', () => 99_999, /99999/],
    ['a port that is taken', () => Number(new URL(daemon.url).port), /EADDRINUSE/],
    [
      'a folder in the place of a socket',
      place => {
        mkdirSync(join(place, 'run', 'shim.sock', 'x'), { recursive: true })
        return null
      },
      /shim\.sock/,
    ],
  ])('%s: it says why, and the next one starts', async (name, prepare, why) => {
    const place = join(folder, name)
    const port = prepare(place)
    const said = await start(place, port).then(
      started => (started.ok ? 'it came up' : started.why),
      error => String(error),
    )
    expect(said).toMatch(why)
    rmSync(join(place, 'run'), { recursive: true, force: true })
    const next = await start(place, 0)
    if (!next.ok) throw new Error(next.why)
    await next.daemon.stop()
  })
})

test('the port of config.toml is used, or the next one that is free', async () => {
  const place = join(folder, 'configured')
  mkdirSync(place)
  const taken = Number(new URL(daemon.url).port)
  writeFileSync(join(place, 'config.toml'), `port = ${taken}\n`)
  const started = await startDaemon({ home: place, etc: folder, env: {}, port: null, version: '0.0.0', log: () => undefined })
  if (!started.ok) throw new Error(started.why)
  const port = Number(new URL(started.daemon.url).port)
  await started.daemon.stop()
  expect(port).toBeGreaterThan(taken)
  expect(port).toBeLessThanOrEqual(taken + 50)
})
