// The twelve events of the architecture document, each through a real daemon: what a hook is given there and what it can do.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../../packages/host/src/daemon/fixtures/run-daemon.ts'
import { readBlock } from './read-blocks.ts'

interface Row {
  readonly title: string
  readonly event: string
  /** What the hook answers. */
  readonly says: object
  readonly fields: Readonly<Record<string, unknown>>
  /** What Claude Code is told. */
  readonly told: unknown
}

const tool = (name: string) => ({ tool_name: name, tool_input: { command: 'ls' }, tool_use_id: 't1' })
const specific = (event: string, fields: object) => ({ hookSpecificOutput: { hookEventName: event, ...fields } })

/** The reason, and on a second line who decided, for whom, and by which hook. */
const DENIED = /^Tool denied: no\nBelay decided this for agent:claude-code by the hook .+; `.*belay.* why` tells more\.$/

const ROWS: readonly Row[] = [
  {
    title: 'PreToolUse: rejected',
    event: 'PreToolUse',
    fields: tool('Deny'),
    says: { Reject: { reason: 'no' } },
    told: specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: expect.stringMatching(DENIED) }),
  },
  {
    title: 'PreToolUse: input modified',
    event: 'PreToolUse',
    fields: tool('Modify'),
    says: { ModifyInput: { new_input: { command: 'pwd' } } },
    told: specific('PreToolUse', { updatedInput: { command: 'pwd' } }),
  },
  {
    title: 'PreToolUse: asked about',
    event: 'PreToolUse',
    fields: tool('Ask'),
    says: { decision: 'ask', reason: 'sure?' },
    told: specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'sure?' }),
  },
  {
    title: 'PreToolUse: allowed',
    event: 'PreToolUse',
    fields: tool('Allow'),
    says: { decision: 'allow', reason: 'fine' },
    told: specific('PreToolUse', { permissionDecision: 'allow', permissionDecisionReason: 'fine' }),
  },
  {
    title: 'PostToolUse: feedback',
    event: 'PostToolUse',
    fields: { ...tool('Block'), tool_response: 'x' },
    says: { decision: 'block', reason: 'again' },
    told: { decision: 'block', reason: 'again' },
  },
  {
    title: 'PostToolUse: context',
    event: 'PostToolUse',
    fields: { ...tool('Context'), tool_response: 'x' },
    says: { additional_context: 'note' },
    told: specific('PostToolUse', { additionalContext: 'note' }),
  },
  {
    title: 'PostToolUse: output replaced',
    event: 'PostToolUse',
    fields: { ...tool('Replace'), tool_response: 'x' },
    says: specific('PostToolUse', { updatedToolOutput: 'y' }),
    told: specific('PostToolUse', { updatedToolOutput: 'y' }),
  },
  {
    title: 'PostToolUse: output suppressed',
    event: 'PostToolUse',
    fields: { ...tool('Quiet'), tool_response: 'x' },
    says: { suppressOutput: true },
    told: { suppressOutput: true },
  },
  {
    title: 'PostToolUseFailure: context',
    event: 'PostToolUseFailure',
    fields: { ...tool('Fails'), error: 'boom' },
    says: { additionalContext: 'look there' },
    told: specific('PostToolUseFailure', { additionalContext: 'look there' }),
  },
  {
    title: 'UserPromptSubmit: blocked',
    event: 'UserPromptSubmit',
    fields: { prompt: 'go' },
    says: { decision: 'block', reason: 'not now' },
    told: { decision: 'block', reason: 'not now' },
  },
  {
    title: 'SessionStart: context',
    event: 'SessionStart',
    fields: { source: 'startup' },
    says: { additionalContext: 'today' },
    told: specific('SessionStart', { additionalContext: 'today' }),
  },
  {
    title: 'SessionEnd: a word to the person',
    event: 'SessionEnd',
    fields: { reason: 'other' },
    says: { systemMessage: 'bye' },
    told: { systemMessage: 'bye' },
  },
  {
    title: 'Stop: the agent goes on',
    event: 'Stop',
    fields: { stop_hook_active: false },
    says: { decision: 'block', reason: 'go on' },
    told: { decision: 'block', reason: 'go on' },
  },
  {
    title: 'SubagentStart: context',
    event: 'SubagentStart',
    fields: { agent_id: 'a1', agent_type: 'x' },
    says: { additionalContext: 'for the sub-agent' },
    told: specific('SubagentStart', { additionalContext: 'for the sub-agent' }),
  },
  {
    title: 'SubagentStop: the sub-agent goes on',
    event: 'SubagentStop',
    fields: { agent_id: 'a1', agent_type: 'x' },
    says: { decision: 'block', reason: 'not yet' },
    told: { decision: 'block', reason: 'not yet' },
  },
  {
    title: 'PreCompact: blocked',
    event: 'PreCompact',
    fields: { trigger: 'manual' },
    says: { decision: 'block', reason: 'keep it' },
    told: { decision: 'block', reason: 'keep it' },
  },
  {
    title: 'Notification: a word to the person',
    event: 'Notification',
    fields: { message: 'look', notification_type: 'idle_prompt' },
    says: { systemMessage: 'seen' },
    told: { systemMessage: 'seen' },
  },
  {
    title: 'PermissionRequest: allowed',
    event: 'PermissionRequest',
    fields: tool('May'),
    says: { decision: { behavior: 'allow' } },
    told: specific('PermissionRequest', { decision: { behavior: 'allow' } }),
  },
  {
    title: 'PermissionRequest: denied',
    event: 'PermissionRequest',
    fields: tool('MayNot'),
    says: { decision: { behavior: 'deny', message: 'no' } },
    told: specific('PermissionRequest', { decision: { behavior: 'deny', message: expect.stringMatching(DENIED) } }),
  },
]

const toSnake = (name: string) => name.replace(/(?<!^)[A-Z]/g, letter => `_${letter}`).toLowerCase()

function policyOf(rows: readonly Row[]): string {
  const hookOf = ({ fields, says }: Row) => {
    const matcher = typeof fields.tool_name === 'string' ? fields.tool_name : '*'
    const keep = 'cat > "stdin-$HOOK_EVENT-$HOOK_TOOL_NAME.json"'
    return `    - { matcher: "${matcher}", type: command, config: { command: ${JSON.stringify(`${keep}; printf %s '${JSON.stringify(says)}'`)} } }\n`
  }
  const events = [...new Set(rows.map(({ event }) => event))]
  const lists = events.map(
    event =>
      `  ${toSnake(event)}:\n${rows
        .filter(row => row.event === event)
        .map(hookOf)
        .join('')}`,
  )
  return `version: "2.0"\nhooks:\n${lists.join('')}`
}

let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: policyOf(ROWS) })
})
afterAll(() => daemon.stop())

test.each(ROWS)('$title', async ({ event, fields, told }) => {
  const { stdout } = await daemon.hook(event, fields, { attended: true })
  expect(JSON.parse(stdout)).toEqual(told)
})

test('the events of the document are these', () => {
  const names = [...readBlock('architecture', 59).matchAll(/^ {4}([A-Z]\w+),$/gm)].map(([, name = '']) => name)
  expect(names).toHaveLength(12)
  expect(new Set(ROWS.map(({ event }) => event))).toEqual(new Set(names))
})

/** A hook that has its say has read its input. */
const given = (event: string, toolName = '') => JSON.parse(readFileSync(join(daemon.project, `stdin-${event}-${toolName}.json`), 'utf8'))

test('what a hook is given: tool, input, output, error, session, agent, directory', () => {
  const common = { session_id: 's1', cwd: daemon.project }
  const call = { tool_input: { command: 'ls' }, tool_use_id: 't1' }
  expect(given('PreToolUse', 'Deny')).toMatchObject({ ...common, ...call, hook_event_name: 'PreToolUse', tool_name: 'Deny' })
  expect(given('PostToolUse', 'Block')).toMatchObject({ ...common, ...call, tool_name: 'Block', tool_output: 'x' })
  expect(given('PostToolUseFailure', 'Fails')).toMatchObject({ ...common, ...call, error: 'boom' })
  expect(given('UserPromptSubmit')).toMatchObject({ ...common, prompt: 'go' })
  expect(given('SessionEnd')).toMatchObject({ ...common, reason: 'other' })
  expect(given('SubagentStop')).toMatchObject({ ...common, agent_id: 'a1', agent_type: 'x' })
  expect(given('Notification')).toMatchObject({ ...common, message: 'look', notification_type: 'idle_prompt' })
})
