// A home that is removed and made anew while its daemon runs, with real processes: the old daemon ends and leaves the new one alone.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readProcess } from '@belay/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replayRegularly } from '../decision/replay-regularly.ts'
import { type BundledCli, bundleCli } from '../supervisor/fixtures/bundled-cli.ts'

let cli: BundledCli

beforeAll(async () => {
  cli = await bundleCli()
})
afterAll(async () => {
  await cli.run(['down'])
  cli.remove()
})

async function up(): Promise<number> {
  expect(await cli.run(['up', '--detach', '--port', '0'])).toMatchObject({ code: 0 })
  return JSON.parse((await cli.run(['status', '--json'])).out).pid
}

test('the old daemon ends, and the new one keeps its sockets and its records', async () => {
  const first = await up()
  rmSync(cli.home, { recursive: true })
  const second = await up()
  expect(second).not.toBe(first)
  while (readProcess(first) !== null) await new Promise(resolve => setTimeout(resolve, 50))
  expect(JSON.parse((await cli.run(['status', '--json'])).out)).toMatchObject({ running: true, pid: second })
  const input = JSON.stringify({
    session_id: 's',
    cwd: cli.project,
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 'after',
  })
  expect(await cli.run(['hook', '--agent', 'claude-code', '--event', 'PreToolUse'], { input })).toMatchObject({ code: 0 })
  let records = ''
  while (!records.includes('after')) records = (await cli.run(['ledger', 'export', '--format', 'jsonl'])).out
})

test('nothing is taken from a spool that is not ours any more', async () => {
  const folder = join(cli.folder, 'spool')
  mkdirSync(folder)
  writeFileSync(join(folder, '1-a.json'), 'not read')
  let looked = 0
  const isOurs = () => {
    looked++
    return false
  }
  const said: unknown[] = []
  const replaying = replayRegularly({ folder, take: async () => undefined, log: line => said.push(line), isOurs })
  await replaying.stop()
  expect([looked, said]).toEqual([1, []])
})
