// A hook that was taken over answers as it does in its own agent: the same script, run as the agent's settings say and as the policy says.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HandlerRun, type HookDefinition, type HookEvent, runHandler } from '@belay/core'
import type { AgentId } from '@belay/core/adapter'
import { loadConfig } from '@belay/core/dialect'
import { activePolicyHooks, parseGenesis } from '@belay/core/policy'
import { afterAll, expect, test } from 'vitest'
import { EMPTY_POLICY } from '../config/genesis-edit.ts'
import { runDaemon } from '../daemon/fixtures/run-daemon.ts'
import { importConfig } from './import-config.ts'
import { addImported } from './import-edit.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-import-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const FILES = { 'claude-code': '/p/.claude/settings.json', codex: '/p/.codex/hooks.json' } as const

const decided = (permissionDecision: string, more = {}) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: 'SAID', ...more },
})
const say = (answer: unknown) => `printf %s '${JSON.stringify(answer)}'`

/** Every way in which a hook can end, with each thing that it can say. */
const WORDS = {
  nothing: ':',
  text: 'echo some text',
  garbled: `printf '{"decision":'`,
  deny: say(decided('deny')),
  allow: say(decided('allow')),
  ask: say(decided('ask')),
  rewrite: say(decided('allow', { updatedInput: { command: 'echo other' } })),
  block: say({ decision: 'block', reason: 'SAID' }),
  approve: say({ decision: 'approve' }),
  stop: say({ continue: false, stopReason: 'SAID' }),
  context: say({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'SAID' } }),
}
const ENDS = {
  'exit 0': 'exit 0',
  'exit 1': 'exit 1',
  'exit 2': 'echo WHY >&2; exit 2',
  'exit 2, mute': 'exit 2',
  'exit 127': 'exit 127',
  killed: 'kill -9 $$',
}
const EVENTS = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop', 'SessionStart'] as const

const rows = (Object.keys(FILES) as (keyof typeof FILES)[]).flatMap(agent =>
  EVENTS.flatMap(event => Object.keys(WORDS).map(words => ({ agent, event, words: words as keyof typeof WORDS }))),
)

function bothOf(agent: AgentId & keyof typeof FILES, event: string, command: string) {
  const path = FILES[agent]
  const text = JSON.stringify({ hooks: { [event]: [{ ...groupOf(event), hooks: [{ type: 'command', command, timeout: 30 }] }] } })
  const own = loadConfig(text, { path }).hooks.flatMap(hook =>
    hook.state === 'active' && hook.definition !== null ? [hook.definition] : [],
  )
  const edited = addImported(EMPTY_POLICY, importConfig(agent, [{ path, text }]))
  const parsed = parseGenesis(edited.ok ? edited.text : '', 'genesis.key')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return { own, imported: activePolicyHooks([{ ...parsed.policy, trusted: true }]).filter(hook => hook.event === event) }
}

/** A hook of Codex for every tool reads patches, and is not taken over. */
const groupOf = (event: string) => (event.endsWith('ToolUse') ? { matcher: 'Bash' } : {})

const FIELDS: Readonly<Record<string, HookEvent['fields']>> = {
  PreToolUse: { toolName: 'Bash', toolInput: { command: 'ls' }, toolUseId: 't1' },
  PostToolUse: { toolName: 'Bash', toolInput: { command: 'ls' }, toolUseId: 't1', toolResponse: 'x' },
  UserPromptSubmit: { prompt: 'hello' },
  Stop: { stopHookActive: false },
  SessionStart: { source: 'startup' },
}

function eventOf(name: string): HookEvent {
  const base = { sessionId: 's1', cwd: folder, transcriptPath: null, permissionMode: 'default', actor: 'agent:gemini', agent: 'gemini' }
  return { ...base, name, commitment: null, fields: FIELDS[name] ?? {}, env: {} } as HookEvent
}

/** What came of it, and what the failure of a hook does then. */
async function answerOf(hooks: readonly HookDefinition[], event: string) {
  const [hook, ...more] = hooks
  if (hook === undefined || more.length > 0) throw new Error(`${hooks.length} hooks`)
  const run: HandlerRun = await runHandler(hook, eventOf(event))
  return run.kind === 'answered' ? run.result : { kind: run.kind, fail: hook.fail ?? 'open' }
}

test.each(rows)('$agent, $event, $words', async ({ agent, event, words }) => {
  for (const [end, ending] of Object.entries(ENDS)) {
    const { own, imported } = bothOf(agent, event, `${WORDS[words]}; ${ending}`)
    expect([end, await answerOf(imported, event)]).toEqual([end, await answerOf(own, event)])
  }
})

test('both read the same', async () => {
  const { own, imported } = bothOf('claude-code', 'PreToolUse', `cat > '${folder}'/$HOOK_TOOL_NAME`)
  const read = async (hooks: readonly HookDefinition[]) => {
    await answerOf(hooks, 'PreToolUse')
    return JSON.parse(readFileSync(join(folder, 'Bash'), 'utf8'))
  }
  expect(await read(imported)).toEqual(await read(own))
})

test.each([
  ['claude-code', 'PostToolUse', 1],
  ['claude-code', 'PostToolUseFailure', 0],
  ['codex', 'PostToolUse', 1],
  // Codex does not tell a failed call from another.
  ['codex', 'PostToolUseFailure', 1],
] as const)('an imported PostToolUse hook of %s at %s of another agent runs %i times', async (agent, event, times) => {
  const path = FILES[agent]
  const text = JSON.stringify({
    hooks: { PostToolUse: [{ ...groupOf('PostToolUse'), hooks: [{ type: 'command', command: 'echo ran >> ran.txt' }] }] },
  })
  const edited = addImported(EMPTY_POLICY, importConfig(agent, [{ path, text }]))
  const daemon = await runDaemon({ policy: edited.ok ? edited.text : '' })
  try {
    const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'p1' }
    await daemon.hook(event, { ...call, ...(event === 'PostToolUse' ? { tool_response: 'x' } : { error: 'x' }) }, { agent: 'grok' })
    const found = readFileSync(join(daemon.project, 'ran.txt'), { encoding: 'utf8', flag: 'a+' })
    expect(found).toBe('ran\n'.repeat(times))
  } finally {
    await daemon.stop()
  }
})
