// `belay mcp-proxy` as a client starts it: the built command before `belay mcp` as the server, the official client, a daemon of its own.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'

const belay = fileURLToPath(new URL('../packages/host/bin/belay.cjs', import.meta.url))
const home = realpathSync(mkdtempSync(join(tmpdir(), 'belay-mcp-proxy-')))
const project = join(home, 'project')
const env = { PATH: process.env.PATH ?? '', HOME: home, BELAY_HOME: home }
const client = new Client({ name: 'test', version: '1' })
const run = (...args: string[]) => execFileSync(process.execPath, [belay, ...args], { env, cwd: project, encoding: 'utf8' })

const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:zed":
      deny: ["mcp__work__dehydrate"]
      ask: ["mcp__work__mentu_capture"]
`

beforeAll(async () => {
  mkdirSync(join(project, '.belay'), { recursive: true })
  writeFileSync(join(project, '.belay', 'genesis.key'), POLICY)
  const server = [process.execPath, belay, 'mcp']
  const args = [belay, 'mcp-proxy', '--agent', 'zed', '--server', 'work', '--', ...server]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: project }))
})
afterAll(async () => {
  await client.close()
  run('down')
  rmSync(home, { recursive: true, force: true })
})

test('its tools are there but for those that are always denied', async () => {
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect([names.includes('dehydrate'), names.includes('mentu_capture'), names.includes('log')]).toEqual([false, true, true])
})

test('calls are judged as those of the agent that was named too, and recorded', async () => {
  const asked = await client.callTool({ name: 'mentu_capture', arguments: { text: 'x' } })
  expect(asked).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^Tool denied: .*belay(?:\.cjs)? approvals/s) }] })
  expect(await client.callTool({ name: 'approvals_status', arguments: {} })).toMatchObject({ content: [{ type: 'text' }] })
  const entries = run('ledger', 'export')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(entries.filter(({ kind }) => kind === 'pre_tool_use').map(({ actor, body }) => [actor, body.alsoAs, body.tool])).toEqual(
    expect.arrayContaining([['agent:mcp', ['agent:zed'], 'mcp__work__mentu_capture']]),
  )
})

test.each([
  [['--', 'true'], 0],
  [['--', 'sh', '-c', 'exit 9'], 9],
  [[], 2],
  [['--server', 'a__b', '--', 'true'], 2],
  [['--url', 'ftp://x'], 2],
  [['--listen', '1', '--', 'true'], 2],
  [['--url', 'http://127.0.0.1:9/mcp', '--header', 'Authorization: ${NOWHERE}'], 2],
  [['--url', 'http://127.0.0.1:9/mcp', '--header', 'what'], 2],
  [['--url', 'http://127.0.0.1:9/mcp'], 0],
])('%j ends with %i', (args, code) => {
  let seen = 0
  try {
    execFileSync(process.execPath, [belay, 'mcp-proxy', ...args], { env, cwd: project, stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    seen = (error as { status: number }).status
  }
  expect(seen).toBe(code)
})
