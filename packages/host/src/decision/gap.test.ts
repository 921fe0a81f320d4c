// A daemon that has no descriptors left: its log cannot be written and nobody new can be heard. It lives on, and what is missing is an entry.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BundledCli, bundleCli } from '../supervisor/fixtures/bundled-cli.ts'
import { type RunPaths, runPaths } from '../wire/run-paths.ts'
import { createGaps } from './gap.ts'

const DESCRIPTORS = 90

let cli: BundledCli
let paths: RunPaths
let daemon: ChildProcess

beforeAll(async () => {
  cli = await bundleCli()
  paths = runPaths(cli.home, cli.env)
  // It needs about forty for itself.
  const line = `ulimit -n ${DESCRIPTORS}; exec "$0" "$1" up --port 0`
  daemon = spawn('sh', ['-c', line, process.execPath, cli.bin], { cwd: '/', env: cli.env, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise(resolve => daemon.stdout?.once('data', resolve))
})
afterAll(async () => {
  const ended = new Promise(resolve => daemon.once('exit', resolve))
  daemon.kill('SIGTERM')
  await ended
  cli.remove()
})

function open(): Promise<Socket> {
  return new Promise(resolve => {
    const socket = connect(paths.shimSocket, () => resolve(socket))
    socket.on('error', () => resolve(socket.destroy()))
  })
}

function ask(socket: Socket): Promise<string> {
  const payload = { session_id: 's', cwd: cli.project, tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' }
  return new Promise(resolve => {
    let text = ''
    socket.on('data', piece => {
      text += piece
      if (text.includes('\n')) resolve(text)
    })
    socket.on('close', () => resolve(text))
    socket.write(`${JSON.stringify({ agent: 'claude-code', event: 'PreToolUse', payload })}\n`)
  })
}

/** As many are open as may be, where the system says so. */
function isExhausted(): boolean {
  const open = `/proc/${daemon.pid}/fd`
  return !existsSync('/proc/self/fd') || readdirSync(open).length >= DESCRIPTORS - 1
}

test('no descriptors: the daemon goes on with whom it hears, and the gap in its log is recorded', async () => {
  const first = await open()
  expect(await ask(first)).toContain('"exit":0')
  const others = await Promise.all(Array.from({ length: 120 }, open))
  await expect.poll(isExhausted).toBe(true)
  // Each time the file has changed, that is a line of the log.
  for (let turn = 0; turn < 3; turn++) {
    writeFileSync(join(cli.home, 'config.toml'), `broken ${turn}`)
    expect(await ask(first)).toMatch(/"exit":0|"busy"/)
  }
  expect(daemon.exitCode).toBeNull()
  for (const socket of [first, ...others]) socket.destroy()
  await expect.poll(async () => ask(await open())).toContain('"exit":0')
  const gaps = async () => (await cli.run(['ledger', 'query', '--kind', 'gap', '--json'])).out
  await expect.poll(gaps).toMatch(/EMFILE/)
  expect(daemon.exitCode).toBeNull()
})

test('what is lost while the ledger cannot be written either is one entry in the end', async () => {
  const gaps = createGaps(() => 0)
  gaps.note('log', new Error('no room'))
  let isFull = true
  const written: unknown[] = []
  gaps.open(async ({ kind, body }) => {
    if (isFull) throw new Error('no room here either')
    written.push({ kind, body })
  })
  await gaps.close()
  gaps.note('log', new Error('still none'))
  isFull = false
  await gaps.close()
  const from = '1970-01-01T00:00:00.000Z'
  expect(written).toEqual([{ kind: 'gap', body: { what: 'log', lost: 2, from, to: from, why: 'no room' } }])
})
