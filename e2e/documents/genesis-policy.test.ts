// The document's own genesis.key, word for word, in a real daemon: what its roles may do, what is recorded, and who approves.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../../packages/host/src/daemon/fixtures/run-daemon.ts'
import { readBlock } from './read-blocks.ts'

const ROLES = ['executor', 'architect', 'auditor'] as const
type Role = (typeof ROLES)[number]

let daemon: TestDaemon
const secrets = new Map<Role, string>()
beforeAll(async () => {
  daemon = await runDaemon({ policy: readBlock('genesis', 255), config: 'person = "root"\n' })
  for (const role of ROLES) secrets.set(role, await daemon.bind(`${role}-1`, role))
})
afterAll(() => daemon.stop())

const frameOf = (role: Role) => ({ secret: secrets.get(role) })
const call = (role: Role, tool_name: string, tool_input: object) =>
  daemon.hook('PreToolUse', { tool_name, tool_input, tool_use_id: 't1' }, frameOf(role))
const bash = (command: string) => ['Bash', { command }] as const
const write = (file_path: string) => ['Write', { file_path, content: 'x' }] as const

const CALLS: readonly (readonly [Role, readonly [string, object], 'allow' | 'deny'])[] = [
  ['executor', bash("git commit -m 'fix'"), 'allow'],
  ['executor', bash('npm test'), 'allow'],
  ['executor', bash('git push origin main'), 'deny'],
  ['executor', bash('rm -rf build'), 'deny'],
  ['executor', bash('npm install --force left-pad'), 'deny'],
  ['executor', write('src/index.ts'), 'allow'],
  ['executor', write('tests/index.ts'), 'allow'],
  ['executor', ['Edit', { file_path: 'src/index.ts', old_string: 'a', new_string: 'b' }], 'allow'],
  ['executor', write('.env.local'), 'deny'],
  ['executor', write('src/server.key'), 'deny'],
  ['executor', write('.mentu/genesis.key'), 'deny'],
  ['architect', ['Read', { file_path: 'src/index.ts' }], 'allow'],
  ['architect', ['mentu_commit', { text: 'x' }], 'allow'],
  ['architect', ['mcp__belay__mentu_commit', { text: 'x' }], 'allow'],
  ['architect', ['mcp__belay__mentu_capture', { text: 'x' }], 'allow'],
  ['architect', ['Task', { subagent_type: 'executor', prompt: 'x' }], 'allow'],
  ['architect', ['Agent', { subagent_type: 'auditor', prompt: 'x' }], 'allow'],
  ['architect', bash('ls'), 'deny'],
  ['architect', write('src/index.ts'), 'deny'],
  ['auditor', bash('npm test'), 'allow'],
  ['auditor', ['mentu_approve', { target: 'cmt_1' }], 'allow'],
  ['auditor', ['mentu_reject', { target: 'cmt_1' }], 'allow'],
  ['auditor', write('src/index.ts'), 'deny'],
]

test.each(CALLS)('%s, %j: %s', async (role, [tool, input], decision) => {
  expect((await call(role, tool, input)).decision).toBe(decision)
})

test('a role that may not write is told what to do instead', async () => {
  const { reason } = await call('architect', ...write('src/index.ts'))
  expect(reason).toMatch(/^Tool denied: Architects cannot write files\. Create a commitment for an Executor\. \(rule Write\(\*\), /)
})

test('an allowed call is silent: nothing for the model, nothing for the person', async () => {
  const { stdout } = await call('executor', ...bash('git status'))
  expect(Object.keys(JSON.parse(stdout))).toEqual(['hookSpecificOutput'])
  expect(JSON.parse(stdout).hookSpecificOutput).not.toHaveProperty('additionalContext')
})

test('before a tool, after it and at the end of a turn: judged and recorded', async () => {
  const run = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 'whole-turn' }
  await daemon.hook('PreToolUse', run, frameOf('executor'))
  await daemon.hook('PostToolUse', { ...run, tool_response: { stdout: 'ok', exitCode: 0 } }, frameOf('executor'))
  await daemon.hook('Stop', { stop_hook_active: false }, frameOf('executor'))
  const kinds = async () => (await daemon.entries()).filter(({ read }) => read.toolUseId === 'whole-turn').map(({ kind }) => kind)
  await expect.poll(kinds).toEqual(['pre_tool_use', 'command_execution', 'post_tool_use'])
  expect((await daemon.entries('stop')).at(-1)).toMatchObject({ actor: 'agent:executor' })
  const [captured] = (await daemon.entries('command_execution')).filter(({ read }) => read.toolUseId === 'whole-turn')
  expect(captured?.read).toMatchObject({
    command: 'npm test',
    exitCode: 0,
    capturedBy: { scope: 'policy', place: expect.stringMatching(/:\d+$/) },
  })
})

test('the gate of the stop hook is decided by those on its list, and by nobody else', async () => {
  const made = await daemon.rpc('commitments.commit', {
    secret: secrets.get('architect'),
    cwd: daemon.project,
    text: 'fix it',
    review: true,
  })
  const { id } = ('result' in made ? made.result.commitment : {}) as { id: string }
  await daemon.rpc('commitments.claim', { secret: secrets.get('executor'), cwd: daemon.project, target: id })
  const stop = () => daemon.hook('Stop', { stop_hook_active: false }, frameOf('executor'))
  const first = await stop()
  expect([first.decision, first.reason]).toEqual(['block', expect.stringContaining('human:rashid has to approve this')])
  expect(JSON.parse((await stop()).stdout)).toEqual({ systemMessage: expect.stringContaining('human:rashid has to approve this') })
  const request = /apr_[0-9a-f]{8}/.exec(first.reason ?? '')?.[0] ?? ''
  const allow = () => daemon.rpc('approvals.allow', { ids: [request], typed: request.slice(-4) })
  expect(await allow()).toMatchObject({ error: { message: expect.stringContaining('is decided by human:rashid, not by human:root') } })
  writeFileSync(join(daemon.home, 'config.toml'), 'person = "rashid"\n')
  await daemon.restart()
  expect(await allow()).toMatchObject({ result: { decided: [{ state: 'allowed', decidedBy: 'human:rashid' }] } })
})
