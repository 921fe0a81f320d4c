// Runs the commands that must start fast once, and the daemon for one call, and leaves V8's compiled code of every chunk they needed beside the
// bundle.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { root } from './lib/ensure.mjs'

const COMMANDS = [
  ['--version'],
  ['hooks', 'test-pattern', 'Bash(git *)', 'Bash', 'cd src && git commit -m "$(date)" | tee log > out'],
  ['hooks', 'test-pattern', 'Write(src/*)', 'Write', 'src/a.ts'],
  ['hook', '--agent', 'claude-code', '--event', 'PreToolUse'],
]

const { cacheFolder, loadBundle } = createRequire(import.meta.url)('../packages/host/bin/load-bundle.cjs')
const home = mkdtempSync(join(tmpdir(), 'belay-build-'))
Object.assign(process.env, { BELAY_HOME: home, BELAY_NO_AUTOSTART: '1' })
const entry = join(root, 'packages/host/dist/cli.cjs')
const scripts = new Map()
const { main } = loadBundle(entry, (file, script) => scripts.set(file, script))
for (const command of COMMANDS) await main(command)
await runDaemon()
scripts.delete(entry)
mkdirSync(cacheFolder(entry), { recursive: true })
for (const [file, script] of scripts) writeFileSync(join(cacheFolder(entry), basename(file)), script.createCachedData())
rmSync(home, { recursive: true })
process.exitCode = 0

async function runDaemon() {
  const socket = join(home, 'run', 'daemon.sock')
  let isOver = false
  const running = main(['up', '--port', '0']).finally(() => {
    isOver = true
  })
  while (!isOver && !existsSync(socket)) await pause(5)
  if (isOver) throw new Error('the daemon did not start')
  const payload = { session_id: 's', cwd: home, tool_name: 'Bash', tool_input: { command: 'git status && ls' } }
  await ask(join(home, 'run', 'shim.sock'), `${JSON.stringify({ agent: 'claude-code', event: 'PreToolUse', payload })}\n`)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'daemon.status' })
  await ask(socket, `POST /v1/rpc HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  process.kill(process.pid, 'SIGTERM')
  await running
}

function ask(socket, text) {
  return new Promise((resolve, reject) => {
    const connection = connect(socket, () => connection.write(text))
    connection.once('data', piece => {
      connection.destroy()
      resolve(piece)
    })
    connection.once('error', reject)
  })
}
