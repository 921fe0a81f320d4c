// What parsing a policy needs to know of handlers, guardrails and agents, which the policy itself may not import.
import { checkGuardrail, validateBuiltinConfig } from '@belay/core'
import { listAgents } from '@belay/core/adapter'
import { TOOL_NAMES } from '@belay/core/match'
import type { GenesisChecks } from '@belay/core/policy'

/** Tools of agents that do nothing a family of tools is about. */
const OTHER_TOOLS =
  'AskUserQuestion BashOutput Brief Config CronCreate CronDelete CronList EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree KillBash KillShell ' +
  'ListMcpResources ListMcpResourcesTool LSP ReadMcpResource ReadMcpResourceTool RemoteTrigger SendMessage SendUserMessage Sleep StructuredOutput ' +
  'TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TeamCreate TeamDelete TodoRead TodoWrite ToolSearch Workflow'

/** Roles that shipped policies and the documents use. */
const ROLES = ['architect', 'auditor', 'executor', 'reviewer']

/** Calls come under these names, whichever agent makes them. */
const OUR_NAMES = ['Bash', 'Read', 'Write', 'Edit', 'MultiEdit', 'Grep', 'Glob', 'WebFetch', 'WebSearch', 'Task', 'Skill', 'NotebookEdit']

const tools = [...new Set([...TOOL_NAMES, ...OTHER_TOOLS.split(' '), ...listAgents().flatMap(agent => Object.entries(agent.tools).flat())])]

export const genesisChecks: GenesisChecks = {
  checkBuiltin: validateBuiltinConfig,
  checkGuardrail,
  names: { tools, ours: OUR_NAMES, agents: [...listAgents().map(({ id }) => id), ...ROLES] },
}
