// What the daemon knows of a call beside its own hook: where it stands in the ledger, that somebody refused it after all, and what it has seen of
// a session when the policy is read anew.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '@belay/core/ledger'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { homePaths } from '../config/home.ts'
import { addTrust } from '../config/trust.ts'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { openSqliteStore } from '../store/open-sqlite-store.ts'

const POLICY = `version: "2.0"
guardrails:
  tool_ledger:
    rules:
      - { tool: "Bash(make *)", class: external, policy: REPLAY_EXACT }
  skill_discovery: {}
permissions:
  default: none
  actors:
    "agent:*": { ask: ["Bash(make pay)"] }
`
const REFUSES = '[[hooks]]\nevent = "PreToolUse"\nname = "no"\n[hooks.shell]\ncommand = "! grep -q refused"\npass_context = true\n'

let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
  writeFileSync(join(daemon.home, 'hooks.toml'), REFUSES)
})
afterAll(() => daemon.stop())

const pre = (command: string, id?: string) =>
  daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command }, ...(id === undefined ? {} : { tool_use_id: id }) })
const post = (command: string, id?: string) =>
  daemon.hook('PostToolUse', {
    tool_name: 'Bash',
    tool_input: { command },
    tool_response: 'made',
    ...(id === undefined ? {} : { tool_use_id: id }),
  })

async function rows() {
  const store = await openSqliteStore({ file: join(daemon.home, 'belay.db'), readOnly: true })
  const found = await store.db
    .selectFrom('tool_calls')
    .select(['status', 'request_seq', 'response_seq', 'created_at'])
    .orderBy('created_at')
    .execute()
  await store.close()
  return found
}

async function seqsOf(kind: string, command: string): Promise<readonly number[]> {
  const entries = await daemon.entries(kind)
  return entries.filter(({ read }) => (read.input as { command: string }).command === command).map(({ seq }) => seq)
}

test.each([
  ['with the id of the call', 'make one', 'u1'],
  ['without an id', 'make two', undefined],
])('%s its request and its response are found in the ledger', async (_what, command, id) => {
  await pre(command, id)
  await post(command, id)
  await expect.poll(() => seqsOf('post_tool_use', command)).toHaveLength(1)
  const [request] = await seqsOf('pre_tool_use', command)
  const [response] = await seqsOf('post_tool_use', command)
  const row = expect.objectContaining({ status: 'succeeded', request_seq: request, response_seq: response })
  await expect.poll(rows).toContainEqual(row)
})

test.each([
  ['a hook of the session refuses it', 'make refused'],
  ['nobody answers the question about it', 'make pay'],
])('%s: it never ran, and may be called again', async (_what, command) => {
  expect((await pre(command, 'r1')).decision).toBe('deny')
  const [request] = await seqsOf('pre_tool_use', command)
  await expect.poll(rows).toContainEqual(expect.objectContaining({ status: 'abandoned', request_seq: request, response_seq: null }))
  expect((await pre(command, 'r2')).reason).not.toMatch(/nobody knows how it ended/)
})

test('a policy that is read anew does not forget what a session has begun', async () => {
  await pre('make three', 'u3')
  const policy = `${POLICY}# another one\n`
  const file = join(daemon.project, '.belay', 'genesis.key')
  writeFileSync(file, policy)
  addTrust(homePaths(daemon.home).trust, file, sha256Hex(policy))
  const hashes = async () => {
    await pre('true', 'other')
    return new Set((await daemon.entries('pre_tool_use')).map(({ policy: hash }) => hash))
  }
  await expect.poll(hashes).toHaveProperty('size', 2)
  // The input is another by now: only what was remembered leads back to the call.
  await post('make three --quiet', 'u3')
  const [request] = await seqsOf('pre_tool_use', 'make three')
  await expect.poll(rows).toContainEqual(expect.objectContaining({ status: 'succeeded', request_seq: request }))
})
