// `belay mcp` as an agent loads it: the built command on stdio, the official client, a daemon that it starts itself.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'

const belay = fileURLToPath(new URL('../packages/host/bin/belay.mjs', import.meta.url))
const home = realpathSync(mkdtempSync(join(tmpdir(), 'belay-mcp-')))
const env = { PATH: process.env.PATH ?? '', HOME: home, BELAY_HOME: home }
const client = new Client({ name: 'test', version: '1' })
// In a role that a person gave.
const args = [belay, 'run', '--actor', 'executor', '--', process.execPath, belay, 'mcp']

beforeAll(() => client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: home })))
afterAll(async () => {
  await client.close()
  execFileSync(process.execPath, [belay, 'down'], { env })
  rmSync(home, { recursive: true, force: true })
})

async function call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { content } = await client.callTool({ name, arguments: args })
  const [first] = content as { text: string }[]
  return JSON.parse(first?.text ?? '{}')
}

test('the verbs are there, and the daemon is started for them', async () => {
  expect((await client.listTools()).tools.length).toBeGreaterThan(15)
  expect(await call('mentu_capture', { text: 'the milk is sour' })).toMatchObject({
    actor: 'agent:executor',
    memory: { text: 'the milk is sour' },
  })
})

test('what was written is in the ledger under the name of the agent', () => {
  const lines = execFileSync(process.execPath, [belay, 'ledger', 'export', '--format', 'jsonl'], { env, encoding: 'utf8' })
    .trim()
    .split('\n')
  expect(lines.map(line => JSON.parse(line)).some(({ kind, actor }) => kind === 'capture' && actor === 'agent:executor')).toBe(true)
})
