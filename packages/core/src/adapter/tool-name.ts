// Canonical tool names and argument names, so that `Bash(git *)` means the same in every agent. The raw ones are kept for the record
// and for answers: what we send back is in the agent's own names.
import type { Names } from '../agent/agent.ts'
import { type AgentId, factsOf, findAgent } from '../agent/agents.ts'

const FILE_AND_SHELL = new Set(['Bash', 'Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit'])

export interface CanonicalCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** The names that an agent has for tools which have a canonical one. */
export function nativeTools(agent: AgentId): readonly string[] {
  return Object.keys(factsOf(agent).tools)
}

export function canonicalTool(agent: AgentId, name: string): string {
  const { tools, mcpTool } = factsOf(agent)
  if (Object.hasOwn(tools, name)) return tools[name] ?? name
  // `mcp__server__tool` everywhere; agents whose own form is ambiguous keep it.
  return mcpTool?.(name) ?? name
}

export function canonicalCall(agent: AgentId, name: string, input: Readonly<Record<string, unknown>>): CanonicalCall {
  const tool = canonicalTool(agent, name)
  const { toolArguments, readPaths } = factsOf(agent)
  const named = FILE_AND_SHELL.has(tool) ? renameKeys(input, toolArguments) : input
  const paths = tool === 'Read' ? (readPaths?.(named) ?? []) : []
  return { tool, input: paths.length > 0 && paths.every(path => typeof path === 'string') ? { ...named, paths } : named }
}

/** What a joined name of an MCP tool may mean, in our spelling: `a_b_c` is `b_c` of a server `a`, or `c` of `a_b`. Empty: no such name. */
export function joinedMcpNames(name: string): readonly string[] {
  const joined = name.replace(/^mcp_(?!_)/, '')
  return [...joined.matchAll(/[_/-]/g)].flatMap(({ index }) => {
    const [server, tool] = [joined.slice(0, index), joined.slice(index + 1)]
    return server === '' || tool === '' ? [] : [`mcp__${server}__${tool}`]
  })
}

/** How the agent itself spells an MCP tool whose server is known, where that is another way: rules may call it that too. */
export function ownMcpName(agent: string, tool: string): string | null {
  const [prefix, server = '', ...rest] = tool.split('__')
  const spell = prefix === 'mcp' && rest.length > 0 ? (findAgent(agent)?.ownMcpTool ?? null) : null
  return spell === null ? null : spell(server, rest.join('__'))
}

/** Back to the argument names the agent used in this call, for an answer that rewrites the input. */
export function nativeInput(agent: AgentId, input: Readonly<Record<string, unknown>>, raw: unknown): Readonly<Record<string, unknown>> {
  if (typeof raw !== 'object' || raw === null) return input
  const used = Object.entries(factsOf(agent).toolArguments).filter(([theirs]) => Object.hasOwn(raw, theirs))
  return renameKeys(input, Object.fromEntries(used.map(([theirs, ours]) => [ours, theirs])))
}

function renameKeys(input: Readonly<Record<string, unknown>>, names: Names): Readonly<Record<string, unknown>> {
  const clash = Object.entries(names).some(([theirs, ours]) => Object.hasOwn(input, theirs) && Object.hasOwn(input, ours))
  // Both spellings at once is for the judge to see, not for us to choose between.
  if (clash) return input
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [Object.hasOwn(names, key) ? (names[key] ?? key) : key, value]))
}
