// Runs the commands that must start fast once, and the daemon for one call, and leaves V8's compiled code of every chunk they needed beside the
// bundle, in packs: one for each step, with what no step before it has loaded (bin/load-bundle.cjs reads them).
import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { root } from './lib/ensure.mjs'

const COMMAND = 'cd src && git commit -m "$(date)" | tee log > out'
const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      allow: ["Bash(git *)", "Read(src/**)"]
      deny: ["Bash(rm -rf *)", "Read(.env)"]
      ask:
        - "Bash(npm publish *)"
`
const STEPS = [
  ['client', askStandIn],
  ['status', askStatus],
  ['judge', testPatterns],
  ['alone', judgeAlone],
  ['daemon', runDaemon],
]

const JUDGES_NOTHING = new Set(['client', 'status'])

const { cacheFolder, loadBundle, sumOf } = createRequire(import.meta.url)('../packages/host/bin/load-bundle.cjs')
const home = mkdtempSync(join(tmpdir(), 'belay-build-'))
Object.assign(process.env, { BELAY_HOME: home, BELAY_NO_AUTOSTART: '1' })
const entry = join(root, 'packages/host/dist/cli.cjs')
const folder = cacheFolder(entry)
rmSync(folder, { recursive: true, force: true })
let step = STEPS[0][0]
const loaded = []
const { main } = loadBundle(entry, (file, source, script) => {
  if (file !== entry) loaded.push({ step, name: basename(file), source, script })
})
for (const [name, run] of STEPS) {
  step = name
  await run()
}
writePacks()
rmSync(home, { recursive: true })
process.exitCode = 0

/** Of each file its source, then its code, which begins at a multiple of eight bytes: V8 copies what does not. */
function writePacks() {
  mkdirSync(folder, { recursive: true })
  const packs = {}
  const files = {}
  for (const [pack] of STEPS) {
    const parts = loaded.filter(each => each.step === pack).map(joinFile)
    const bytes = Buffer.concat(parts.map(part => part.bytes))
    // Named by its content: whoever still runs when an update replaces these files must not read another pack by an old index.
    const file = `${pack}-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.pack`
    writeFileSync(join(folder, file), bytes)
    packs[file] = bytes.length
    let at = 0
    for (const { name, sourceSize, bytes } of parts) {
      // What judges nothing is not compared: that would take longer than its work.
      files[name] = [file, at, sourceSize, bytes.length, JUDGES_NOTHING.has(pack) ? null : sumOf(bytes)]
      at += bytes.length
    }
  }
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ packs, files }))
}

function joinFile({ name, source, script }) {
  if (/[^\0-\x7f]/.test(source)) throw new Error(`${name} is not ASCII`)
  const pieces = [Buffer.from(source, 'latin1'), script.createCachedData()]
  return { name, sourceSize: source.length, bytes: Buffer.concat(pieces.flatMap(piece => [piece, Buffer.alloc(-piece.length & 7, ' ')])) }
}

async function testPatterns() {
  await main(['hooks', 'test-pattern', 'Bash(git *)', 'Bash', COMMAND])
  await main(['hooks', 'test-pattern', 'Write(src/*)', 'Write', 'src/a.ts'])
}

/** By a policy, so that what reads one is compiled too. */
async function judgeAlone() {
  mkdirSync(join(home, 'policy'))
  writeFileSync(join(home, 'policy', 'genesis.key'), POLICY)
  await callHook('Bash', { command: 'git status && ls | head' })
  await callHook('Read', { file_path: join(home, 'src', 'a.ts') })
}

async function callHook(tool, input) {
  const payload = { session_id: 's', hook_event_name: 'PreToolUse', cwd: home, tool_name: tool, tool_input: input }
  await mainWith(payload, ['hook', '--agent', 'claude-code', '--event', 'PreToolUse'])
  if (process.exitCode !== 0) throw new Error('the hook call was refused')
}

async function mainWith(payload, argv) {
  const file = join(home, 'payload.json')
  writeFileSync(file, JSON.stringify(payload))
  // The lowest free number: the standard input of the next command.
  closeSync(0)
  openSync(file, 'r')
  await main(argv)
}

/** The client that finds its daemon: something that answers it is enough. */
async function askStandIn() {
  await main(['--version'])
  await standIn('shim.sock', '{"exit":0,"stdout":"","stderr":""}\n', () => callHook('Bash', { command: 'git status' }))
}

async function askStatus() {
  const facts = JSON.stringify({ result: { guard: 'on', effort: null, heartbeat: null, approvals: 0 } })
  const told = { session_id: 's', cwd: home, context_window: { used_percentage: 40 } }
  await standIn('daemon.sock', `HTTP/1.0 200 OK\r\n\r\n${facts}`, () => mainWith(told, ['statusline']))
}

async function standIn(name, answer, work) {
  const run = join(home, 'run')
  mkdirSync(run, { mode: 0o700 })
  const server = createServer(socket => socket.once('data', () => socket.end(answer)))
  await new Promise(resolve => server.listen(join(run, name), resolve))
  await work()
  await new Promise(resolve => server.close(resolve))
  rmSync(run, { recursive: true })
}

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
