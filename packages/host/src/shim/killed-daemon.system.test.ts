// The daemon is killed after it has recorded a call and before its answer arrives. Each client then judges again by the Node shim, and the
// ledger still has one record of the call.
import { spawn } from 'node:child_process'
import { readdirSync, renameSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { must, readPid, startTortureDaemon, type TortureDaemon } from '../daemon/torture/fixtures/torture-daemon.ts'
import { buildNative, buildNode, buildPerl } from '../install/build-shim.ts'

const native = fileURLToPath(new URL('../../native/', import.meta.url))
const BUILDERS = { native: buildNative, perl: buildPerl, node: buildNode }

let daemon: TortureDaemon

beforeAll(async () => {
  daemon = await startTortureDaemon()
})
afterAll(() => daemon.stop())

/** Stands between clients and daemon: lets the frame through, and when the answer comes, kills the daemon instead of passing it on. */
async function killAtAnswer(): Promise<{ close(): Promise<void> }> {
  const { shimSocket } = daemon.paths
  const behind = `${shimSocket}.behind`
  renameSync(shimSocket, behind)
  const server = createServer(client => {
    client.on('error', () => client.destroy())
    const real = connect(behind)
    real.on('error', () => client.destroy())
    client.on('data', piece => real.write(piece))
    real.on('data', piece => {
      if (!piece.includes('\n')) return
      process.kill(readPid(daemon.paths), 'SIGKILL')
      client.destroy()
      real.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(shimSocket, resolve))
  return { close: () => new Promise(resolve => server.close(() => resolve())) }
}

function call(client: string, id: string): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const { cli } = daemon
  const child = spawn(client, ['--agent', 'claude-code', '--event', 'PreToolUse', '--deadline-ms', '20000'], {
    cwd: cli.project,
    env: cli.env,
  })
  const payload = { session_id: 's', cwd: cli.project, tool_name: 'Bash', tool_input: { command: 'rm x' }, tool_use_id: id }
  let out = ''
  let err = ''
  child.stdout.on('data', piece => {
    out += piece
  })
  child.stderr.on('data', piece => {
    err += piece
  })
  child.stdin.end(JSON.stringify(payload))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => resolve({ code, out, err }))
  })
}

test.each(Object.entries(BUILDERS))('%s', async (kind, build) => {
  const { cli, paths } = daemon
  const path = join(cli.folder, `client-${kind}`)
  const place = { path, home: cli.home, socket: paths.shimSocket, native, node: process.execPath, script: cli.bin, env: cli.env }
  expect(build(place)).toBeNull()
  const between = await killAtAnswer()
  const { out, err } = await call(path, `call-${kind}`)
  expect(`${out}${err}`).toContain('rm')
  await between.close()
  const spool = join(cli.home, 'spool')
  const waiting = () => readdirSync(spool).filter(name => name.endsWith('.json')).length
  expect(waiting()).toBe(1)
  await must(cli, ['up', '--detach', '--port', '0'])
  while (waiting() > 0) await sleep(50)
  expect((await daemon.recorded()).filter(({ id }) => id === `call-${kind}`)).toEqual([
    { id: `call-${kind}`, verdict: 'deny', isSpooled: false },
  ])
})
