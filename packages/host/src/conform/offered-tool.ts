// The tool of an agent for what a script wants done. Tools are known by name, their arguments by what the agent itself says of them, so that a
// renamed argument of the next version is met all the same.
import type { Json, OfferedTool, ToolUse } from './model-format.ts'

/** A prompt that holds this is for a sub-agent. */
export const SUB_MARK = 'SUBTASK'

/** The prompt of the whole session holds this, so that its history is not taken for a sub-agent's. */
export const MAIN_MARK = 'MAINTASK'

export type Wish =
  | { readonly shell: string }
  | { readonly write: string; readonly content: string }
  | { readonly read: string }
  | { readonly search: string; readonly in: string }
  /** A sub-agent of this type gets it to do; null: the type is left out. */
  | { readonly task: string; readonly type?: string | null }
  /** The tool of an MCP server, under any of the names that agents give it. */
  | { readonly mcp: string; readonly server: string; readonly input: Json }
  /** Exactly this call. */
  | { readonly call: ToolUse }

const NAMES = {
  shell: ['Bash', 'run_shell_command', 'exec_command', 'shell_command', 'shell', 'bash', 'run_terminal_command', 'run_commands'],
  write: ['Write', 'write_file', 'create', 'write', 'editor'],
  read: ['Read', 'read_file', 'view', 'read', 'read_files'],
  search: ['Grep', 'grep_search', 'search_file_content', 'grep'],
  task: ['Task', 'Agent', 'task', 'agent', 'spawn_agent', 'collaborationspawn_agent', 'spawn_subagent', 'generalist', 'invoke_agent'],
} as const

/** null: the agent offers none. */
export function chooseTool(wish: Wish, offered: readonly OfferedTool[]): ToolUse | null {
  if ('call' in wish) return wish.call
  if ('mcp' in wish) {
    const tool = offered.find(({ name, group }) => isMcpName(group === undefined ? name : `${group}__${name}`, wish))
    return tool === undefined ? hiddenTool(wish, offered) : { ...nameOf(tool), input: wish.input }
  }
  const kind = kindOf(wish)
  const tool = NAMES[kind].map(name => offered.find(each => each.name === name)).find(each => each !== undefined)
  return tool === undefined ? null : { ...nameOf(tool), input: inputFor(wish, tool) }
}

/** Some agents do not list the tools of servers: their model looks for them, and then calls them by name. */
function hiddenTool({ server, mcp, input }: Extract<Wish, { readonly mcp: string }>, offered: readonly OfferedTool[]): ToolUse | null {
  const has = (name: string) => offered.some(each => each.name === name)
  if (has('use_tool')) return { name: 'use_tool', input: { tool_name: `${server}__${mcp}`, tool_input: input } }
  return has('tool_search') ? { name: `mcp__${server}__${mcp}`, input } : null
}

function nameOf({ name, group }: OfferedTool): Omit<ToolUse, 'input'> {
  return group === undefined ? { name } : { name, group }
}

function kindOf(wish: Exclude<Wish, { readonly call: unknown } | { readonly mcp: unknown }>): keyof typeof NAMES {
  if ('shell' in wish) return 'shell'
  if ('write' in wish) return 'write'
  if ('search' in wish) return 'search'
  return 'read' in wish ? 'read' : 'task'
}

function isMcpName(name: string, { server, mcp }: { readonly server: string; readonly mcp: string }): boolean {
  return new RegExp(`^(?:mcp_{1,2})?${server}(?:__|_|-|/|\\.)${mcp}$`).test(name)
}

function inputFor(wish: Wish, { name, fields, required }: OfferedTool): Json {
  const field = (pattern: RegExp, fallback: string): string => fields.find(each => pattern.test(each)) ?? fallback
  if ('shell' in wish) {
    if (name === 'run_commands') return { commands: [wish.shell] }
    if (name === 'shell') return { command: ['bash', '-lc', wish.shell] }
    const described = { description: 'scripted', ...(required.includes('is_background') ? { is_background: false } : {}) }
    return name === 'exec_command' ? { cmd: wish.shell } : { command: wish.shell, ...described }
  }
  const path = field(/^(?:file_?path|absolute_path|target_file|path)$/i, 'file_path')
  if ('write' in wish) return { [path]: wish.write, [field(/^(?:content|contents|file_text|text|new_text)$/, 'content')]: wish.content }
  if ('read' in wish) return name === 'read_files' ? { files: [{ path: wish.read }] } : { [path]: wish.read }
  if ('search' in wish) return { pattern: wish.search, [field(/^(?:include_pattern|glob|paths?)$/, 'path')]: wish.in }
  if ('task' in wish) return taskInput(wish, { fields, required })
  return {}
}

function taskInput(
  { task, type = 'general-purpose' }: { readonly task: string; readonly type?: string | null },
  { fields, required }: Pick<OfferedTool, 'fields' | 'required'>,
): Json {
  const prompt = `${SUB_MARK} ${task}`
  const known: Json = {
    prompt,
    message: prompt,
    request: prompt,
    query: prompt,
    objective: prompt,
    task: prompt,
    description: 'scripted',
    ...(type === null ? {} : { subagent_type: type, agent_type: type, agent_name: type }),
    mode: 'sync',
    run_in_background: false,
    background: false,
  }
  const wanted = fields.filter(each => required.includes(each) || each in known)
  return Object.fromEntries(wanted.map(each => [each, known[each] ?? 'scripted']))
}
