// When the hooks of a skill run: from its Skill call to the end of the session, and while an effort of it is active; with and without a daemon.
import { afterEach, expect, test } from 'vitest'
import { startDaemon } from '../daemon/start-daemon.ts'
import { runHook } from '../shim/node-shim.ts'
import { HOOK_SETUPS } from './fixtures/door-setups.ts'
import { openSetup, type SetupWorld } from './fixtures/setup-world.ts'

let world: SetupWorld
let stop: (() => Promise<void>) | null = null

afterEach(async () => {
  await stop?.()
  stop = null
  world.remove()
})

const found = HOOK_SETUPS.find(({ title }) => title === 'a skill that is not in use')

async function open(): Promise<void> {
  if (found === undefined) throw new Error('there is no such setup')
  world = await openSetup(found)
}

async function up(): Promise<void> {
  const { home, env, place } = world
  const started = await startDaemon({ home, etc: place.etc, env, port: 0, version: '0.0.0', log: () => undefined })
  if (!started.ok) throw new Error(started.why)
  stop = () => started.daemon.stop()
}

async function down(): Promise<void> {
  await stop?.()
  stop = null
}

/** Asks the daemon where there is one. */
async function hook(session: string, event: string, fields: Readonly<Record<string, unknown>>): Promise<string> {
  const { project, env, place } = world
  const payload = JSON.stringify({ session_id: session, cwd: project, hook_event_name: event, ...fields })
  const io = { payload, cwd: project, env, isTty: false, etc: place.etc, startDaemon: () => undefined }
  const { stdout, stderr } = await runHook({ agent: 'codex', event, direct: false, deadlineMs: null }, io)
  return `${stdout}${stderr}`
}

const call = (session: string, tool: string, input: Readonly<Record<string, unknown>>) =>
  hook(session, 'PreToolUse', { tool_name: tool, tool_input: input, tool_use_id: `${session}-${Math.random()}` })
const isRefused = async (session: string) => (await call(session, 'Bash', { command: 'git status' })).includes('not while shipping')

test.each(['with', 'without'])('from the Skill call on, %s a daemon', async way => {
  await open()
  if (way === 'with') await up()
  expect(await isRefused('one')).toBe(false)
  await call('one', 'Skill', { skill: 'other' })
  expect(await isRefused('one')).toBe(false)
  await call('one', 'Skill', { skill: 'deploy' })
  expect([await isRefused('one'), await isRefused('two')]).toEqual([true, false])
  // What one of them saw the other knows.
  if (way === 'with') await down()
  else await up()
  expect([await isRefused('one'), await isRefused('two')]).toEqual([true, false])
  await hook('one', 'SessionEnd', { reason: 'exit' })
  expect(await isRefused('one')).toBe(false)
})

test('while an effort of it is active', async () => {
  await open()
  await up()
  const started = await world.belay(['effort', 'start', 'deploy', '--json'])
  expect(started).toMatchObject({ code: 0 })
  expect(await isRefused('one')).toBe(true)
  await down()
  expect(await isRefused('one')).toBe(true)
  await up()
  const { id } = JSON.parse(started.out)
  expect(await world.belay(['effort', 'finish', String(id)])).toMatchObject({ code: 0 })
  expect(await isRefused('two')).toBe(false)
  await down()
  expect(await isRefused('two')).toBe(false)
})
