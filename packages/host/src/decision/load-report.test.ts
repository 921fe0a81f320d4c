// A policy that breaks is an entry in the ledger, whether somebody had accepted it or not, once for each way in which it is broken.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { homePaths } from '../config/home.ts'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'

const POLICY = 'version: "2.0"\npermissions: {default: ask}\n'
let belay: TestDaemon

beforeAll(async () => {
  belay = await runDaemon({ policy: POLICY })
})
afterAll(() => belay.stop())

let calls = 0

async function brokenEntries(file: string) {
  const project = file.startsWith(belay.home) ? belay.project : dirname(dirname(file))
  const payload = { cwd: project, session_id: `s${calls++}`, tool_name: 'Bash', tool_input: { command: 'ls' } }
  const { decision } = await belay.hook('PreToolUse', payload, { cwd: project })
  await expect.poll(async () => (await belay.entries('policy_change')).some(entry => entry.read.file === file)).toBe(true)
  const entries = (await belay.entries('policy_change')).filter(entry => entry.read.file === file)
  return { decision, entries: entries.map(({ read }) => ({ change: read.change, inForce: read.inForce, errors: read.errors })) }
}

test.each<[string, () => string, string]>([
  [
    "a project's policy that nobody has accepted",
    () => join(belay.folder, 'other', '.belay', 'genesis.key'),
    'permissions: {default: perhaps}',
  ],
  ["a project's hooks that nobody has accepted", () => join(belay.folder, 'third', '.belay', 'hooks.toml'), '[[['],
  ["the person's own policy", () => homePaths(belay.home).policy, 'permissions: {default: perhaps}'],
])('%s', async (_title, place, text) => {
  const file = place()
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  const { entries } = await brokenEntries(file)
  expect(entries).toEqual([{ change: 'broken', inForce: null, errors: [expect.stringMatching(/^\d+:\d+ ./)] }])
  // Not at every call, and not after a restart.
  await belay.restart()
  expect((await brokenEntries(file)).entries).toHaveLength(1)
})
