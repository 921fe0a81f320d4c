// A matcher that was written for the tools of one agent, in our names: hooks that Belay runs for the other agents meet the tools of those.

import type { HookDefinition } from '@belay/core'
import { type AgentId, canonicalTool, nativeTools } from '@belay/core/adapter'
import { compileMatcher } from '@belay/core/match'

/** The tools of events that are about some tools only. */
const TOOLS_OF_EVENT: Readonly<Record<string, string>> = {
  beforeshellexecution: 'Bash',
  aftershellexecution: 'Bash',
  beforereadfile: 'Read',
  afterfileedit: 'Write|Edit',
  beforemcpexecution: 'mcp__*',
  aftermcpexecution: 'mcp__*',
  pre_run_command: 'Bash',
  post_run_command: 'Bash',
  pre_read_code: 'Read',
  post_read_code: 'Read',
  pre_write_code: 'Write|Edit',
  post_write_code: 'Write|Edit',
  pre_mcp_tool_use: 'mcp__*',
  post_mcp_tool_use: 'mcp__*',
}

/** `event`: as the agent calls it. */
export function shareMatcher(hook: HookDefinition, agent: AgentId, event: string): HookDefinition {
  const ofEvent = TOOLS_OF_EVENT[event.toLowerCase()]
  if (ofEvent !== undefined) return { ...hook, matcher: { dialect: 'genesis', text: ofEvent } }
  const { matcher } = hook
  if (matcher === undefined || !('text' in matcher) || !/ToolUse|Permission/.test(hook.event)) return hook
  const compiled = compileMatcher(matcher, { event: hook.event, compileCall: () => ({ ok: true, test: () => true }) })
  if (compiled.kind !== 'exact' && compiled.kind !== 'regex') return hook
  const ours = nativeTools(agent)
    .filter(name => compiled.test({ value: name }))
    .map(name => canonicalTool(agent, name))
  const names = [...new Set([...ours, ...(compiled.names ?? []).map(name => canonicalTool(agent, name))])]
  if (names.length === 0) return hook
  // What the agent's own words mean beyond the tools we know stays in force beside our names.
  const text = compiled.kind === 'exact' ? names.join('|') : `^(?:${names.join('|')})$|(?:${matcher.text})`
  return { ...hook, matcher: { dialect: 'claude', text } }
}
