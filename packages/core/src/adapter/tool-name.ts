// Canonical tool names and argument names, so that `Bash(git *)` means the same in every agent. The raw ones are kept for the record
// and for answers: what we send back is in the agent's own names.
import type { AgentId } from './agent-id.ts'

type Names = Readonly<Record<string, string>>

const geminiTools: Names = {
  run_shell_command: 'Bash',
  read_file: 'Read',
  read_many_files: 'Read',
  write_file: 'Write',
  replace: 'Edit',
  edit: 'Edit',
  glob: 'Glob',
  grep_search: 'Grep',
  search_file_content: 'Grep',
  list_directory: 'LS',
  web_fetch: 'WebFetch',
  google_web_search: 'WebSearch',
  write_todos: 'TodoWrite',
}

const lowerTools: Names = {
  bash: 'Bash',
  read: 'Read',
  view: 'Read',
  write: 'Write',
  create: 'Write',
  edit: 'Edit',
  glob: 'Glob',
  grep: 'Grep',
  list: 'LS',
  webfetch: 'WebFetch',
  web_fetch: 'WebFetch',
  websearch: 'WebSearch',
  task: 'Task',
}

const TOOLS: Readonly<Record<AgentId, Names>> = {
  'claude-code': { Agent: 'Task' },
  codex: { exec_command: 'Bash', shell: 'Bash', local_shell: 'Bash', spawn_agent: 'Task', web_search: 'WebSearch' },
  gemini: geminiTools,
  copilot: { ...lowerTools, powershell: 'Bash', write_bash: 'Bash', read_bash: 'Bash' },
  qwen: { ...geminiTools, task: 'Task' },
  opencode: lowerTools,
  pi: { ...lowerTools, ls: 'LS', find: 'Glob' },
  droid: { Execute: 'Bash', Create: 'Write', FetchUrl: 'WebFetch' },
  continue: {},
  cursor: { Shell: 'Bash' },
  cline: {
    execute_command: 'Bash',
    read_file: 'Read',
    write_to_file: 'Write',
    replace_in_file: 'Edit',
    search_files: 'Grep',
    list_files: 'LS',
    web_fetch: 'WebFetch',
    new_task: 'Task',
  },
  goose: {
    developer__shell: 'Bash',
    developer__write: 'Write',
    developer__edit: 'Edit',
    developer__text_editor: 'Edit',
    developer__tree: 'LS',
  },
  kiro: {
    execute_bash: 'Bash',
    fs_read: 'Read',
    fs_write: 'Write',
    glob: 'Glob',
    grep: 'Grep',
    web_fetch: 'WebFetch',
    web_search: 'WebSearch',
    use_subagent: 'Task',
  },
  windsurf: {},
  git: {},
  mcp: {},
}

/** Argument names of file and shell tools that differ from ours, by agent: theirs -> ours. */
const ARGUMENTS: Readonly<Partial<Record<AgentId, Names>>> = {
  opencode: { filePath: 'file_path', oldString: 'old_string', newString: 'new_string' },
  pi: { path: 'file_path' },
  goose: { path: 'file_path', file_text: 'content' },
  copilot: { path: 'file_path', file_text: 'content', old_str: 'old_string', new_str: 'new_string' },
  cline: { path: 'file_path' },
  kiro: { path: 'file_path', file_text: 'content' },
  qwen: { absolute_path: 'file_path' },
  gemini: { absolute_path: 'file_path' },
}

const FILE_AND_SHELL = new Set(['Bash', 'Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit'])

export interface CanonicalCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

export function canonicalTool(agent: AgentId, name: string): string {
  const names = TOOLS[agent]
  if (Object.hasOwn(names, name)) return names[name] ?? name
  return canonicalMcpName(agent, name)
}

export function canonicalCall(agent: AgentId, name: string, input: Readonly<Record<string, unknown>>): CanonicalCall {
  const tool = canonicalTool(agent, name)
  const named = FILE_AND_SHELL.has(tool) ? renameKeys(input, ARGUMENTS[agent]) : input
  return { tool, input: agent === 'kiro' && tool === 'Read' ? withKiroPaths(named) : named }
}

/** Kiro reads several files at once, each an operation with its path. */
function withKiroPaths(input: CanonicalCall['input']): CanonicalCall['input'] {
  const paths = Array.isArray(input.operations) ? input.operations.map(operation => operation?.path) : []
  return paths.length > 0 && paths.every(path => typeof path === 'string') ? { ...input, paths } : input
}

/** What a joined name of an MCP tool may mean, in our spelling: `a_b_c` is `b_c` of a server `a`, or `c` of `a_b`. Empty: no such name. */
export function joinedMcpNames(name: string): readonly string[] {
  const joined = name.replace(/^mcp_(?!_)/, '')
  return [...joined.matchAll(/[_/-]/g)].flatMap(({ index }) => {
    const [server, tool] = [joined.slice(0, index), joined.slice(index + 1)]
    return server === '' || tool === '' ? [] : [`mcp__${server}__${tool}`]
  })
}

/** How opencode spells an MCP tool whose server is known: rules may call it that too. */
export function ownMcpName(agent: string, tool: string): string | null {
  if (agent !== 'opencode' || !tool.startsWith('mcp__')) return null
  return tool.slice('mcp__'.length).replace('__', '_')
}

/** Back to the argument names the agent used in this call, for an answer that rewrites the input. */
export function nativeInput(agent: AgentId, input: Readonly<Record<string, unknown>>, raw: unknown): Readonly<Record<string, unknown>> {
  if (typeof raw !== 'object' || raw === null) return input
  const used = Object.entries(ARGUMENTS[agent] ?? {}).filter(([theirs]) => Object.hasOwn(raw, theirs))
  return renameKeys(input, Object.fromEntries(used.map(([theirs, ours]) => [ours, theirs])))
}

/** `mcp__server__tool` everywhere; agents whose own form is ambiguous keep it. */
function canonicalMcpName(agent: AgentId, name: string): string {
  if (agent === 'goose' && /^[^_].*__./.test(name) && !name.startsWith('mcp__')) return `mcp__${name}`
  if (agent === 'kiro' && name.startsWith('@')) return `mcp__${name.slice(1).replace('/', '__')}`
  if (agent === 'copilot' && /^[\w.-]+\/[\w.-]+$/.test(name)) return `mcp__${name.replace('/', '__')}`
  return name
}

function renameKeys(input: Readonly<Record<string, unknown>>, names: Names | undefined): Readonly<Record<string, unknown>> {
  if (names === undefined) return input
  const clash = Object.entries(names).some(([theirs, ours]) => Object.hasOwn(input, theirs) && Object.hasOwn(input, ours))
  // Both spellings at once is for the judge to see, not for us to choose between.
  if (clash) return input
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [Object.hasOwn(names, key) ? (names[key] ?? key) : key, value]))
}
