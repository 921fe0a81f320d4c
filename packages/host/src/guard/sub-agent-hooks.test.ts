// Hooks in the frontmatter of a sub-agent's description run on the events of sub-agents of that type, with and without a daemon.
import { afterEach, expect, test } from 'vitest'
import { startDaemon } from '../daemon/start-daemon.ts'
import { runHook } from '../shim/node-shim.ts'
import { policyText } from './fixtures/door-setups.ts'
import { openSetup, type SetupWorld } from './fixtures/setup-world.ts'

let world: SetupWorld
let stop: () => Promise<void> = async () => undefined

afterEach(async () => {
  await stop()
  stop = async () => undefined
  world.remove()
})

const hook = (event: string, words: string) =>
  `  ${event}:\n    - hooks:\n        - type: command\n          command: "echo ${words} >&2; exit 2"\n`
const REVIEWER = `---\nname: reviewer\ndescription: looks\nhooks:\n${hook('PreToolUse', 'reviewers only look')}${hook('Stop', 'not read yet')}---\nYou review.\n`

async function open(file: string): Promise<void> {
  const policy = policyText({ default: 'allow' }, 'hooks_from: [genesis, skill]\n')
  const files = { 'repo/.belay/genesis.key': policy, [file]: REVIEWER }
  world = await openSetup({ title: 'a sub-agent', files, isTrusted: true, agent: 'codex', rules: null })
}

async function up(): Promise<void> {
  const { home, env, place } = world
  const started = await startDaemon({ home, etc: place.etc, env, port: 0, version: '0.0.0', log: () => undefined })
  if (!started.ok) throw new Error(started.why)
  stop = () => started.daemon.stop()
}

async function say(event: string, fields: Readonly<Record<string, unknown>>, agent = 'codex'): Promise<string> {
  const { project, env, place } = world
  const payload = JSON.stringify({ session_id: 'one', cwd: project, hook_event_name: event, ...fields })
  const io = { payload, cwd: project, env, isTty: false, etc: place.etc, startDaemon: () => undefined }
  const { stdout, stderr } = await runHook({ agent, event, direct: false, deadlineMs: null }, io)
  return `${stdout}${stderr}`
}

let calls = 0
const call = (who: Readonly<Record<string, unknown>>, agent?: string) =>
  say('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: `call-${++calls}`, ...who }, agent)

test.each(['with', 'without'])('on its calls, %s a daemon', async way => {
  await open('repo/.belay/agents/reviewer.md')
  if (way === 'with') await up()
  expect(await call({ agent_id: 'a', agent_type: 'reviewer' })).toContain('reviewers only look')
  expect(await call({ agent_id: 'b', agent_type: 'writer' })).not.toContain('reviewers')
  expect(await call({})).not.toContain('reviewers')
})

test('its Stop hooks when it ends, and not when an agent does', async () => {
  await open('repo/.belay/agents/reviewer.md')
  await up()
  const stopping = { stop_hook_active: false, agent_id: 'a' }
  expect(await say('SubagentStop', { ...stopping, agent_type: 'reviewer' })).toContain('not read yet')
  expect(await say('SubagentStop', { ...stopping, agent_type: 'writer' })).not.toContain('not read yet')
  expect(await say('Stop', { stop_hook_active: false })).not.toContain('not read yet')
})

test('Claude Code runs those of its own folder itself', async () => {
  await open('repo/.claude/agents/reviewer.md')
  const who = { agent_id: 'a', agent_type: 'reviewer' }
  expect(await call(who, 'claude-code')).not.toContain('reviewers')
  expect(await call(who)).toContain('reviewers only look')
})
