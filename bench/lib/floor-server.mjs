// What a guard that keeps records cannot go below on this machine: the echo of bench/daemon.mjs which also writes each call as one row of
// plain SQLite (no chain, hashes, indexes, secrets; a hundred rows a commit, on a thread of its own), and, asked to, judges its command by as
// many rules. Started as `node floor-server.mjs SOCKET FILE RULES`, with 0 rules for the row alone; `first` behind it: answered when the row is
// on disk. Over node:http it does the same on SOCKET.http.
import { createServer as createHttpServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import Database from 'libsql'
import { createLineServer } from './line-server.mjs'

if (isMainThread) await serve(process.argv[2], process.argv[3], Number(process.argv[4]), process.argv[5] === 'first')
else writeRows(workerData)

async function serve(path, file, rules, isDiskFirst) {
  const isAllowed = rules > 0 ? await prepareJudge(rules) : () => true
  const writer = new Worker(fileURLToPath(import.meta.url), { workerData: file })
  const answers = []
  writer.on('message', written => {
    for (const answer of answers.splice(0, written)) answer()
  })
  let lines = []
  const flush = () => {
    writer.postMessage(lines)
    lines = []
  }
  const keep = line => {
    if (lines.push(line) === 1) setImmediate(flush)
  }
  const take = (line, { agent, payload }, send) => {
    const exit = isAllowed(payload.tool_input?.command ?? '') ? 0 : 2
    const answer = () => send(JSON.stringify({ exit, stdout: agent, stderr: '' }))
    if (isDiskFirst) answers.push(answer)
    else answer()
    keep(line)
  }
  const server = createLineServer((line, socket) => take(line, JSON.parse(line), text => socket.write(`${text}\n`)))
  const http = createHttpServer((request, response) => {
    const pieces = []
    request.on('data', piece => pieces.push(piece))
    request.on('end', () => {
      const line = Buffer.concat(pieces).toString()
      take(line, { agent: 'claude-code', payload: JSON.parse(line) }, text => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
        response.end(text)
      })
    })
  })
  server.listen(path, () => http.listen(`${path}.http`, () => process.send('up')))
}

async function prepareJudge(rules) {
  const dist = new URL('../../packages/core/dist/', import.meta.url)
  const { compileRules, judge, parseRule } = await import(new URL('policy/index.js', dist))
  const { virtualFileView } = await import(new URL('match/path/virtual-file-view.js', dist))
  const parse = (effect, offset) =>
    Array.from({ length: rules / 2 }, (_, index) => {
      const n = index + offset
      return parseRule(`Bash(prog${n % 97} sub${n} *)`, { effect, dialect: 'genesis', id: `${effect}-${n}` }).rule
    })
  const permissions = { allow: parse('allow', 0), deny: parse('deny', rules / 2), ask: [], default: 'none', hash: 'bench' }
  const compiled = compileRules(permissions)
  const place = { root: '/repo', cwd: '/repo', home: '/home/dev' }
  const context = { ...place, files: virtualFileView({ root: '/repo' }).files, belayHome: '/home/dev/.belay', selfProtection: true }
  return command => judge({ tool: 'Bash', input: { command } }, compiled, context).effect !== 'deny'
}

function writeRows(file) {
  const database = new Database(file)
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL']) database.exec(`PRAGMA ${pragma}`)
  database.exec('CREATE TABLE t (seq INTEGER PRIMARY KEY, time TEXT, line TEXT) STRICT')
  const insert = database.prepare('INSERT INTO t (time, line) VALUES (?, ?)')
  const waiting = []
  let isWriting = false
  const write = () => {
    database.exec('BEGIN')
    const lines = waiting.splice(0, 100)
    for (const line of lines) insert.run([new Date().toISOString(), line])
    database.exec('COMMIT')
    parentPort.postMessage(lines.length)
    isWriting = waiting.length > 0
    if (isWriting) setImmediate(write)
  }
  parentPort.on('message', lines => {
    waiting.push(...lines)
    if (isWriting) return
    isWriting = true
    setImmediate(write)
  })
}
