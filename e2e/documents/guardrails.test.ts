// The registration example of the guardrails document, word for word, and the tool it names.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { classifyCall } from '../../packages/core/src/guardrail/classify-call.ts'
import { guarded } from '../../packages/core/src/guardrail/fixtures/ports.ts'
import { createHooks, createToolPipeline, type Registration } from '../../packages/core/src/index.ts'
import { parseGenesis } from '../../packages/core/src/policy/index.ts'
import { runDaemon } from '../../packages/host/src/daemon/fixtures/run-daemon.ts'
import { openSqliteStore } from '../../packages/host/src/store/open-sqlite-store.ts'
import { readBlock } from './read-blocks.ts'

interface Registered {
  readonly event: string
  readonly matcher: string | null
  readonly hooks: readonly string[]
}

/** What the Python text registers: events, matchers, names of functions. */
function registrationOf(python: string): readonly Registered[] {
  return [...python.matchAll(/"(\w+)": \[([\s\S]*?)\n {8}\]/g)].flatMap(([, event = '', list = '']) =>
    [...list.matchAll(/matcher=(None|"(.*?)"), hooks=\[(.*?)\]/g)].map(([, given, text = '', names = '']) => ({
      event,
      matcher: given === 'None' ? null : text,
      hooks: names.split(', '),
    })),
  )
}

test('the registration of the document: every hook runs at its event, in its order', async () => {
  const registered = registrationOf(readBlock('guardrails', 104))
  expect(registered).toHaveLength(6)
  const ran: string[] = []
  const groups: Record<string, unknown[]> = {}
  for (const { event, matcher, hooks } of registered) {
    const group = { matcher, hooks: hooks.map(name => () => void ran.push(name)) }
    groups[event] = [...(groups[event] ?? []), group]
  }
  const hooks = createHooks(groups as Registration)
  const call = { toolName: 'execute_bash_command', toolInput: { command: 'touch a' } }
  await hooks.fire('UserPromptSubmit', { prompt: 'go' })
  await hooks.fire('PreToolUse', call)
  await hooks.fire('PreToolUse', { toolName: 'Read', toolInput: {} })
  await hooks.fire('PostToolUse', { ...call, toolResponse: 'ok' })
  await hooks.fire('SubagentStop', {})
  await hooks.fire('AgentStop', {})
  expect(ran).toEqual([
    'skill_discovery_hook',
    'pre_tool_use_schema_guardrail',
    'check_bash_side_effects',
    'pre_tool_use_schema_guardrail',
    'post_tool_use_schema_nudge',
    'record_tool_use',
    'on_subagent_stop',
    'on_agent_stop',
  ])
})

test('execute_bash_command is a shell: what it creates is known, and rules for commands hold', async () => {
  const place = { cwd: '/repo', root: '/repo' }
  const classified = classifyCall('execute_bash_command', { command: 'touch x && echo hi > y' }, place)
  expect(classified).toMatchObject({ sideEffect: 'local', writes: expect.arrayContaining(['y']) })
  const { evidence } = await guarded({ side_effects: {} }).fire('PreToolUse', {
    toolName: 'execute_bash_command',
    toolInput: { command: 'echo hi > y' },
  })
  expect(evidence).toMatchObject([{ kind: 'side_effect', data: { class: 'local', writes: ['y'] } }])
  const parsed = parseGenesis('version: "2.0"\npermissions: {default: none, actors: {"agent:*": {deny: ["Bash(rm -rf *)"]}}}\n', 'x')
  if (!parsed.ok) throw new Error(parsed.errors[0]?.message)
  const ran: unknown[] = []
  const tools = [{ name: 'execute_bash_command', execute: (input: unknown) => void ran.push(input) }]
  const { runTool } = createToolPipeline({ policies: [parsed.policy], tools })
  expect([(await runTool('execute_bash_command', { command: 'rm -rf x' })).status, ran]).toEqual(['denied', []])
})

test('the data flow: a missing field denies with its name, a result comes back with a hint', async () => {
  expect(readBlock('guardrails', 81)).toContain('Deny (Message: "Missing field X")')
  const hooks = guarded({ schema_guard: { tools: { Send: { required: ['to'], example: { to: 'ada' } } } }, schema_nudge: {} })
  const tools = [{ name: 'Send', execute: () => ({ error: 'missing required field: subject' }) }]
  const { runTool } = createToolPipeline({ hooks, tools })
  expect(await runTool('Send', {})).toMatchObject({ status: 'denied', reason: expect.stringContaining('`to` is missing') })
  const sent = await runTool('Send', { to: 'ada' })
  expect([sent.status, sent.context]).toEqual(['succeeded', [expect.stringContaining('Call it like this: Send({"to":"ada"})')]])
})

test('every call is kept with its input, output, duration and status', async () => {
  const daemon = await runDaemon({ policy: 'version: "2.0"\nguardrails:\n  tool_ledger: {}\n' })
  const call = { tool_name: 'Bash', tool_input: { command: 'make all' }, tool_use_id: 'kept' }
  await daemon.hook('PreToolUse', call)
  await daemon.hook('PostToolUse', { ...call, tool_response: { stdout: 'made' }, duration_ms: 7 })
  await expect.poll(async () => (await daemon.entries('post_tool_use')).length).toBe(1)
  const [request] = await daemon.entries('pre_tool_use')
  const [response] = await daemon.entries('post_tool_use')
  expect(request?.read).toMatchObject({ tool: 'Bash', toolUseId: 'kept', input: { command: 'make all' } })
  expect(response?.read).toMatchObject({ toolUseId: 'kept', fields: { toolResponse: { stdout: 'made' }, durationMs: 7 } })
  const rows = async () => {
    const store = await openSqliteStore({ file: join(daemon.home, 'belay.db'), readOnly: true })
    const found = await store.db.selectFrom('tool_calls').select(['status', 'request_seq', 'response_seq']).execute()
    await store.close()
    return found
  }
  await expect.poll(rows).toEqual([{ status: 'succeeded', request_seq: request?.seq, response_seq: response?.seq }])
  await daemon.stop()
})
