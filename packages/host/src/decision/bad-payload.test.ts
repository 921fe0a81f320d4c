import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'

let belay: TestDaemon
beforeAll(async () => {
  belay = await runDaemon({ policy: 'version: "2.0"\npermissions: { default: none }\n' })
})
afterAll(() => belay.stop())

const SECRET = `ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2'.slice(0, 36)}`

test('a call that cannot be read is refused, and that is on disk before the answer, once', async () => {
  const call = { tool_name: 'Bash', tool_input: `echo ${SECRET}` }
  const replies = [await belay.hook('PreToolUse', call, { 'event-id': 'e1' }), await belay.hook('PreToolUse', call, { 'event-id': 'e1' })]
  expect(replies.map(({ decision }) => decision)).toEqual(['deny', 'deny'])
  const [entry, ...more] = await belay.entries('pre_tool_use')
  expect(more).toEqual([])
  expect(entry).toMatchObject({ actor: 'agent:claude-code', session: 's1' })
  expect(entry?.read).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('is not what Claude Code sends') })
  expect(entry?.body).not.toContain(SECRET)
})

test('without a session too', async () => {
  expect((await belay.hook('PermissionRequest', { session_id: null, tool_name: 'Bash' })).stdout).toContain('is not what Claude Code sends')
  expect(await belay.entries('permission_request')).toMatchObject([{ session: null, read: { agentId: 'claude-code:' } }])
})

test('where there is nothing to judge by it goes on too, and is recorded', async () => {
  const call = { session_id: 'free', cwd: belay.folder, tool_name: 'Bash', tool_input: 'ls' }
  expect(await belay.hook('PreToolUse', call)).toMatchObject({ exit: 0, stdout: '', stderr: '' })
  await vi.waitUntil(async () => (await belay.entries('pre_tool_use')).some(({ session }) => session === 'free'), { timeout: 20_000 })
  const entry = (await belay.entries('pre_tool_use')).find(({ session }) => session === 'free')
  expect(entry?.read).toMatchObject({ verdict: 'none', fields: { problem: expect.stringContaining('tool_input') } })
})

test('but not where a policy or a hook may hold: of its session, of an unknown place, of a person', async () => {
  const bad = { tool_name: 'Bash', tool_input: 'ls' }
  await belay.hook('PreToolUse', { session_id: 'moved', tool_name: 'Bash', tool_input: { command: 'ls' } })
  const moved = await belay.hook('PreToolUse', { ...bad, session_id: 'moved', cwd: belay.folder })
  const nowhere = await belay.hook('PreToolUse', { ...bad, session_id: 'nowhere', cwd: 5 })
  writeFileSync(join(belay.home, 'hooks.toml'), '[[hooks]]\nevent = "PreToolUse"\n[hooks.shell]\ncommand = "true"\n')
  const elsewhere = join(belay.folder, 'elsewhere')
  mkdirSync(elsewhere)
  const hooked = await belay.hook('PreToolUse', { ...bad, session_id: 'hooked', cwd: elsewhere })
  rmSync(join(belay.home, 'hooks.toml'))
  expect([moved, nowhere, hooked].map(({ decision }) => decision)).toEqual(['deny', 'deny', 'deny'])
})

test('anything else goes on, and is recorded with what was wrong', async () => {
  expect(await belay.hook('PostToolUse', { tool_name: 5 })).toMatchObject({ exit: 0, stdout: '' })
  await vi.waitUntil(async () => (await belay.entries('post_tool_use')).length > 0, { timeout: 20_000 })
  const [entry] = await belay.entries('post_tool_use')
  expect(entry?.read).toMatchObject({ verdict: 'none', fields: { problem: expect.stringContaining('tool_name') } })
})

test('the name of an event is no place for a secret either', async () => {
  await belay.hook(SECRET, {})
  await vi.waitUntil(async () => (await belay.entries()).some(({ kind }) => kind.includes('redacted')), { timeout: 20_000 })
  expect((await belay.entries()).filter(({ kind }) => kind.includes(SECRET.toLowerCase().slice(4)))).toEqual([])
})
