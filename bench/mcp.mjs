// One tool call over MCP (the official client, stdio, a real daemon behind) beside the same JSON-RPC call to the daemon, and one of another
// server through the proxy beside the same call without it. In turns.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const CALLS = Number(process.env.BELAY_BENCH_CALLS ?? 500)
const BUDGET = 2
const belay = fileURLToPath(new URL('../packages/host/bin/belay.mjs', import.meta.url))
const server = fileURLToPath(new URL('../packages/host/src/mcp-proxy/fixtures/server.mjs', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'belay-bench-mcp-'))
const env = { PATH: process.env.PATH, HOME: home, BELAY_HOME: home }
const run = (...args) => execFileSync(process.execPath, [belay, ...args], { env, encoding: 'utf8' })
const clients = []

run('up', '--detach')
const { socket } = JSON.parse(run('status', '--json'))
const agent = new Agent({ keepAlive: true })
try {
  const verbs = await connect(belay, 'mcp')
  const direct = await connect(server)
  const proxied = await connect(belay, 'mcp-proxy', '--server', 'demo', '--', process.execPath, server)
  const echo = { name: 'echo', arguments: { text: 'hello' } }
  // [what, call, what it is compared with, budget]
  const rows = [
    ['JSON-RPC to the daemon, kept connection', () => rpc('approvals.list', {})],
    ['the same verb over MCP, stdio', () => verbs.callTool({ name: 'approvals_status', arguments: {} }), 0, BUDGET],
    ['a tool of another server, stdio', () => direct.callTool(echo)],
    ['the same through mcp-proxy: judged, and its result', () => proxied.callTool(echo), 2],
  ]
  const times = rows.map(() => [])
  for (let at = 0; at < CALLS; at += 1) for (const [row, [, call]] of rows.entries()) times[row].push(await time(call))
  console.log(`us per call; ${CALLS} calls each, in turns\n\n| | p50 | p99 | ratio | budget | |\n|---|--:|--:|--:|--:|---|`)
  for (const [row, [name, , reference, budget]] of rows.entries()) {
    const ratio = reference === undefined ? null : at(times[row], 0.5) / at(times[reference], 0.5)
    const judged = budget === undefined ? ' | ' : `<= ${budget}x | ${ratio <= budget ? 'ok' : 'OVER'}`
    const shown = ratio === null ? '' : `${ratio.toFixed(2)}x`
    console.log(`| ${name} | ${at(times[row], 0.5).toFixed(0)} | ${at(times[row], 0.99).toFixed(0)} | ${shown} | ${judged} |`)
  }
} finally {
  for (const client of clients) await client.close()
  agent.destroy()
  run('down')
  rmSync(home, { recursive: true, force: true })
}

async function connect(...args) {
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: home }))
  clients.push(client)
  return client
}

async function time(call) {
  const start = performance.now()
  await call()
  return (performance.now() - start) * 1000
}

function at(values, part) {
  const sorted = values.slice(values.length >> 2).sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * part)]
}

function rpc(method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const call = request({ socketPath: socket, method: 'POST', path: '/v1/rpc', headers, agent }, response => {
      let text = ''
      response.on('data', piece => {
        text += piece
      })
      response.on('end', () => resolve(JSON.parse(text)))
    })
    call.on('error', reject)
    call.end(body)
  })
}
