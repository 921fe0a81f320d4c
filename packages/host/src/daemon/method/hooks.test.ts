import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askDaemon } from '../../wire/daemon-client.ts'
import { runPaths } from '../../wire/run-paths.ts'
import { type Daemon, startDaemon } from '../start-daemon.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-hooks-'))
const home = join(folder, 'home')
const project = join(folder, 'project')
const { socket } = runPaths(home, {})
let daemon: Daemon

async function start(): Promise<Daemon> {
  const started = await startDaemon({
    home,
    etc: join(folder, 'etc'),
    env: { HOME: folder },
    port: 0,
    version: '0.0.0',
    log: () => undefined,
  })
  if (!started.ok) throw new Error(started.why)
  return started.daemon
}

beforeAll(async () => {
  mkdirSync(join(project, '.belay'), { recursive: true })
  writeFileSync(
    join(project, '.belay', 'genesis.key'),
    'version: "2.0"\npermissions:\n  default: none\n  actors:\n    "agent:*":\n      deny: ["Bash(git push *)"]\n      ask: ["Bash(npm publish *)"]\n',
  )
  daemon = await start()
})
afterAll(async () => {
  await daemon.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function rpc(method: string, params: Record<string, unknown>, headers: Record<string, string> = {}): Promise<any> {
  const answer = await askDaemon({ socket, method: 'POST', path: '/v1/rpc', body: { jsonrpc: '2.0', id: 1, method, params }, headers })
  if (answer.kind !== 'answer') throw new Error(answer.kind)
  const value = answer.value as { result?: unknown; error?: unknown }
  return value.error === undefined ? value.result : { error: value.error }
}

const base = { session_id: 's1', cwd: project, transcript_path: null, permission_mode: 'default' }

test('without an effort every field is there and nothing is held up', async () => {
  expect(await rpc('hooks.preToolUse', { ...base, tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1' })).toEqual({
    allow: true,
    heartbeatCount: null,
    contextUsage: null,
    overflowWarning: false,
    pendingPreloads: [],
    firedRules: [],
    reason: null,
    decision: 'none',
    updatedInput: null,
  })
})
