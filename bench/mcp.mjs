// One tool call over MCP (the official client, stdio, a real daemon behind) beside the same JSON-RPC call to the daemon, in turns.
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
const home = mkdtempSync(join(tmpdir(), 'belay-bench-mcp-'))
const env = { PATH: process.env.PATH, HOME: home, BELAY_HOME: home }
const run = (...args) => execFileSync(process.execPath, [belay, ...args], { env, encoding: 'utf8' })

run('up', '--detach')
const { socket } = JSON.parse(run('status', '--json'))
const client = new Client({ name: 'bench', version: '1' })
const agent = new Agent({ keepAlive: true })
try {
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [belay, 'mcp'], env, cwd: home }))
  const rows = {
    'JSON-RPC to the daemon, kept connection': () => rpc('approvals.list', {}),
    'the same verb over MCP, stdio': () => client.callTool({ name: 'approvals_status', arguments: {} }),
  }
  const times = Object.fromEntries(Object.keys(rows).map(name => [name, []]))
  for (let at = 0; at < CALLS; at += 1) for (const [name, call] of Object.entries(rows)) times[name].push(await time(call))
  const [first] = Object.keys(rows)
  console.log(`us per call; ${CALLS} calls each, in turns\n\n| | p50 | p99 | ratio | budget | |\n|---|--:|--:|--:|--:|---|`)
  for (const name of Object.keys(rows)) {
    const ratio = at(times[name], 0.5) / at(times[first], 0.5)
    const judged = name === first ? ' | | ' : `${ratio.toFixed(2)}x | <= ${BUDGET}x | ${ratio <= BUDGET ? 'ok' : 'OVER'}`
    console.log(`| ${name} | ${at(times[name], 0.5).toFixed(0)} | ${at(times[name], 0.99).toFixed(0)} | ${judged} |`)
  }
} finally {
  await client.close()
  agent.destroy()
  run('down')
  rmSync(home, { recursive: true, force: true })
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
