// Every tool of every agent that carries a command: a deny rule for commands holds in it, and so does self-protection.
import { expect, test } from 'vitest'
import { type AgentId, listAgents } from '../agent/agents.ts'
import { virtualFileView } from '../match/path/virtual-file-view.ts'
import { compileRules, judge, parseRule } from '../policy/index.ts'
import { readAgentFixture } from './fixtures/agent-fixture.ts'
import { canonicalCall } from './tool-name.ts'

type Input = Readonly<Record<string, unknown>>
type Row = readonly [agent: AgentId, tool: string, input: Input]

/** Hosts that call a line we wrote for another agent. */
const OTHER_HOSTS: readonly Row[] = [
  ['claude-code', 'run_terminal_command', { command: '$COMMAND' }],
  ['claude-code', 'run_in_terminal', { command: '$COMMAND', explanation: 'x' }],
  ['claude-code', 'launch-process', { command: '$COMMAND', cwd: '/repo' }],
]

const tools: readonly Row[] = [
  ...listAgents().flatMap(({ id }) => readAgentFixture(id).commands.map(({ tool, input }) => [id, tool, input] as const)),
  ...OTHER_HOSTS,
]

function withCommand(input: Input, command: string): Input {
  return JSON.parse(JSON.stringify(input).replace('$COMMAND', () => JSON.stringify(command).slice(1, -1)))
}

function decide(agent: AgentId, tool: string, input: Input): string {
  const rule = parseRule('Bash(rm -rf *)', { effect: 'deny', dialect: 'genesis', id: 'deny' })
  const files = virtualFileView({ root: '/repo' })
  if (!rule.ok || !files.ok) throw new Error('no rule')
  const compiled = compileRules({ allow: [], deny: [rule.rule], ask: [], default: 'none', hash: '' })
  const context = {
    root: '/repo',
    cwd: '/repo',
    home: '/home/dev',
    belayHome: '/home/dev/.belay',
    files: files.files,
    selfProtection: true,
  }
  return judge(canonicalCall(agent, tool, input), compiled, context).verdict.decision
}

test.each(tools)('%s %s %j', (agent, tool, input) => {
  expect(decide(agent, tool, withCommand(input, 'cd /x && rm -rf y'))).toBe('deny')
  expect(decide(agent, tool, withCommand(input, 'rm .belay/genesis.key'))).toBe('deny')
  // A list under the name of our own tool is not what agents send there.
  const isList = /^(?:shell|local_shell)$/.test(tool) && Array.isArray(input.command)
  expect(decide(agent, tool, withCommand(input, 'npm test'))).toBe(isList ? 'ask' : 'none')
})

/** They look at a shell that runs already, or end it. */
const WITHOUT_COMMAND: readonly Row[] = [
  ...['read_bash', 'stop_bash', 'read_powershell', 'stop_powershell'].map(tool => ['copilot', tool, { shellId: '1', delay: 1 }] as const),
  ['claude-code', 'BashOutput', { bash_id: '1' }],
  ['claude-code', 'KillShell', { shell_id: '1' }],
  ['kilo', 'background_process', { action: 'list' }],
]

test.each(WITHOUT_COMMAND)('%s %s %j carries no command', (agent, tool, input) => {
  expect(decide(agent, tool, input)).toBe('none')
})
