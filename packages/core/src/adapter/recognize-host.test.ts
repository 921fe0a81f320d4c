// Hosts that read a hook file which was written for another agent: who they are, and that they obey.
import { expect, test } from 'vitest'
import { type AgentId, findAgent } from '../agent/agents.ts'
import { deny } from '../verdict/verdict.ts'
import { encodeAnswer } from './encode.ts'
import { decodeCall, type HostSigns } from './recognize-host.ts'

const GROK = {
  hookEventName: 'pre_tool_use',
  hook_event_name: 'PreToolUse',
  sessionId: 's',
  session_id: 's',
  toolName: 'run_terminal_command',
  tool_name: 'run_terminal_command',
  tool_input: { command: 'touch x' },
}
const VSCODE = { hookEventName: 'PreToolUse', sessionId: 's', tool_name: 'run_in_terminal', tool_input: { command: 'touch x' } }
const CURSOR = { cursor_version: '2.4', conversation_id: 's', tool_name: 'Shell', tool_input: { command: 'touch x' } }
const CLAUDE = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: { command: 'touch x' } }

const NESTED = {
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'Tool denied: no' },
}
const FLAT = { permissionDecision: 'deny', permissionDecisionReason: 'Tool denied: no' }
const PERMISSION = { permission: 'deny', user_message: 'Tool denied: no', agent_message: 'Tool denied: no' }

/** What stops hosts of Claude Code's, Copilot's, Cursor's and Gemini's kind; the others go by the exit code beside it. */
const ANY = { ...NESTED, ...FLAT, ...PERMISSION, decision: 'deny', reason: 'Tool denied: no' }

interface Row {
  readonly line: AgentId
  readonly event: string
  readonly payload: HostSigns['payload']
  readonly env?: HostSigns['env']
  readonly above?: AgentId
  readonly host: AgentId
  readonly answer: unknown
  readonly exit?: number
}

const rows: readonly [what: string, row: Row][] = [
  [
    'Grok on the line of Claude Code, by its variable',
    { line: 'claude-code', event: 'PreToolUse', payload: CLAUDE, env: { GROK_HOOK_EVENT: 'pre_tool_use' }, host: 'grok', answer: NESTED },
  ],
  [
    'Grok on the line of Claude Code, by its envelope',
    { line: 'claude-code', event: 'PreToolUse', payload: GROK, host: 'grok', answer: NESTED },
  ],
  [
    'Grok on the line of Claude Code, by its process',
    { line: 'claude-code', event: 'PreToolUse', payload: CLAUDE, above: 'grok', host: 'grok', answer: NESTED },
  ],
  [
    'Grok on preToolUse of Cursor',
    { line: 'cursor', event: 'preToolUse', payload: GROK, host: 'grok', answer: { ...NESTED, ...PERMISSION } },
  ],
  [
    'Grok on beforeShellExecution of Cursor',
    { line: 'cursor', event: 'beforeShellExecution', payload: GROK, host: 'grok', answer: { ...NESTED, ...PERMISSION } },
  ],
  [
    'VS Code on the line of Claude Code',
    { line: 'claude-code', event: 'PreToolUse', payload: VSCODE, host: 'vscode', answer: ANY, exit: 2 },
  ],
  ['VS Code on the line of Copilot', { line: 'copilot', event: 'PreToolUse', payload: VSCODE, host: 'vscode', answer: ANY, exit: 2 }],
  [
    'Cursor on the line of Claude Code',
    { line: 'claude-code', event: 'PreToolUse', payload: CURSOR, host: 'cursor', answer: ANY, exit: 2 },
  ],
  [
    'a host that nobody told us about',
    {
      line: 'claude-code',
      event: 'PreToolUse',
      payload: { ...CLAUDE, tool_name: 'run_it', tool_input: { command: 'touch x' } },
      host: 'claude-code',
      answer: ANY,
      exit: 2,
    },
  ],
  [
    'Claude Code itself',
    { line: 'claude-code', event: 'PreToolUse', payload: CLAUDE, above: 'claude-code', host: 'claude-code', answer: NESTED },
  ],
  [
    'a tool of an MCP server in Claude Code',
    { line: 'claude-code', event: 'PreToolUse', payload: { ...CLAUDE, tool_name: 'mcp__a__b' }, host: 'claude-code', answer: NESTED },
  ],
  ['Copilot itself', { line: 'copilot', event: 'PreToolUse', payload: CLAUDE, host: 'copilot', answer: FLAT }],
  [
    "Codex, whose file nobody else reads, though a project set Grok's variable",
    { line: 'codex', event: 'PreToolUse', payload: CLAUDE, env: { GROK_HOOK_EVENT: 'x' }, host: 'codex', answer: NESTED },
  ],
]

test.each(rows)('%s', (_what, { line, event, payload, env = {}, above, host, answer, exit = 0 }) => {
  const agent = findAgent(line)
  if (agent === null) throw new Error(`no agent ${line}`)
  const decoded = decodeCall(agent, event, { payload, env, ancestor: () => above ?? null })
  expect(decoded.agent.id).toBe(host)
  expect(decoded.event).toBe('PreToolUse')
  expect(decoded.line?.id).toBe(host === line ? undefined : line)
  expect(decoded.payload).toMatchObject({ session_id: 's', tool_input: { command: 'touch x' } })
  if (host !== line) expect(decoded.payload.tool_name).toBe('Bash')
  const { stdout, exitCode } = encodeAnswer(decoded, { verdict: deny('no') }, { attended: false })
  expect([JSON.parse(stdout), exitCode]).toEqual([answer, exit])
})
