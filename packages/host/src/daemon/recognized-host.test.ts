// A host on the hook line of another agent: judged, answered so that it obeys, recorded under its own name, with the rights of both.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHostSigns, versionOf } from '../decision/host-signs.ts'
import { parseShimFrame } from '../wire/shim-frame.ts'
import { runDaemon, type TestDaemon } from './fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      deny: ["Bash(touch *)"]
      ask: ["Bash(make *)"]
    agent:claude-code:
      deny: ["Bash(git push *)"]
`

let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterAll(() => daemon.stop())

const grok = (command: string) => ({ hookEventName: 'pre_tool_use', tool_name: 'run_terminal_command', tool_input: { command } })
const byVariable = { env: { GROK_HOOK_EVENT: 'pre_tool_use' } }

test.each(['touch x', 'git push origin main'])('Grok is denied on the line of Claude Code: %s', async command => {
  expect((await daemon.hook('PreToolUse', grok(command), byVariable)).decision).toBe('deny')
  expect((await daemon.entries('pre_tool_use')).at(-1)?.read).toMatchObject({
    agent: 'grok',
    line: 'claude-code',
    alsoAs: ['agent:claude-code'],
    tool: 'Bash',
    rawTool: 'run_terminal_command',
    verdict: 'deny',
  })
})

test('a question that Grok would answer itself is not put to it', async () => {
  const attended = { ...byVariable, attended: true }
  expect((await daemon.hook('PreToolUse', { ...grok('make it'), permission_mode: 'default' }, attended)).decision).toBe('ask')
  expect((await daemon.hook('PreToolUse', { ...grok('make it'), permission_mode: 'bypassPermissions' }, attended)).decision).toBe('deny')
})

test.each([
  ['no version', undefined, 'deny'],
  ['2.1.210', 'claude-code_2-1-210_cli', 'deny'],
  ['2.1.211', 'claude-code_2-1-211_cli', 'ask'],
  ['2.2.0', 'claude-code_2-2-0_cli', 'ask'],
])('Claude Code in auto mode, %s: %s', async (_version, told, decision) => {
  const call = { tool_name: 'Bash', tool_input: { command: 'make it' }, permission_mode: 'auto' }
  const frame = { attended: true, env: told === undefined ? {} : { AI_AGENT: told } }
  expect((await daemon.hook('PreToolUse', call, frame)).decision).toBe(decision)
})

test('processes are looked at once for each session', () => {
  const looked: number[] = []
  const readSigns = createHostSigns(pid => {
    looked.push(pid)
    return 'grok'
  })
  for (const [session, pid] of [
    ['a', 7],
    ['a', 8],
    ['b', 9],
  ] as const) {
    const line = JSON.stringify({ agent: 'claude-code', event: 'PreToolUse', parent: pid, payload: { session_id: session } })
    const parsed = parseShimFrame(line)
    expect(parsed.ok && readSigns(parsed.frame).ancestor()).toBe('grok')
  }
  expect(looked).toEqual([7, 9])
})

test.each([
  ['claude-code_2-1-325_harness', [2, 1, 325]],
  ['claude-code_2-1-325', null],
  ['other_1_x', null],
  [undefined, null],
])('the version in %j', (told, version) => {
  expect(versionOf('claude-code', told)).toEqual(version)
})
