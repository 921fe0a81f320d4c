// Tools that do the same thing under different names. A deny for one member holds for the whole family; an allow does not
// spread.
import { nameWords } from './field-name.ts'

export type ToolFamily = 'write' | 'shell' | 'read' | 'fetch' | 'web-search' | 'task' | 'skill'

const members: Readonly<Record<ToolFamily, readonly string[]>> = {
  write: [
    ...[
      'Write',
      'Edit',
      'MultiEdit',
      'NotebookEdit',
      'apply_patch',
      'write_file',
      'replace',
      'ApplyPatch',
      'Create',
      'create',
      'edit',
      'write',
    ],
    ...['edit_file', 'create_file', 'delete_file', 'Delete', 'multiedit', 'patch', 'fs_write', 'str_replace', 'str_replace_editor'],
    ...['str_replace_based_edit_tool', 'write_to_file', 'replace_in_file', 'developer__write', 'developer__edit', 'developer__text_editor'],
  ],
  shell: [
    ...['Bash', 'shell', 'run_shell_command', 'exec', 'exec_command', 'write_stdin', 'local_shell', 'container.exec', 'bash', 'powershell'],
    ...[
      'PowerShell',
      'Shell',
      'Execute',
      'execute_bash',
      'execute_command',
      'run_command',
      'run_terminal_cmd',
      'developer__shell',
      'Monitor',
    ],
    ...['read_bash', 'write_bash', 'stop_bash', 'shell_command', 'write_powershell', 'read_powershell', 'stop_powershell', 'monitor'],
    ...['unified_exec', 'execute_cmd', 'run_commands', 'run_terminal_command', 'runTerminalCommand', 'run_in_terminal', 'send_to_terminal'],
    ...['launch-process', 'write-process', 'execute_shell_command', 'execute_bash_command', 'terminal'],
    ...['computercontroller__automation_script', 'computercontroller__computer_control', 'background_process'],
  ],
  read: [
    ...['Read', 'Grep', 'Glob', 'read_file', 'read_many_files', 'LS', 'NotebookRead', 'view', 'read', 'grep', 'glob', 'list', 'ls', 'find'],
    ...['grep_search', 'search_file_content', 'list_directory', 'list_files', 'search_files', 'fs_read', 'view_image', 'tree'],
  ],
  fetch: ['WebFetch', 'web_fetch', 'webfetch', 'FetchUrl', 'fetch_url'],
  'web-search': ['WebSearch', 'web_search', 'websearch', 'google_web_search'],
  task: ['Task', 'Agent', 'task', 'agent', 'spawn_agent', 'collaborationspawn_agent', 'invoke_agent', 'use_subagent'],
  skill: ['Skill', 'SlashCommand', 'skill', 'activate_skill'],
}

/** Every name of a tool that is known here. */
export const TOOL_NAMES: readonly string[] = Object.values(members).flat()

const familyByTool: ReadonlyMap<string, ToolFamily> = new Map(
  (Object.keys(members) as ToolFamily[]).flatMap(family => members[family].map(tool => [tool, family] as const)),
)

export function toolFamily(tool: string): ToolFamily | null {
  return familyByTool.get(tool) ?? null
}

/** Whether the name of a tool that nobody described says that it starts an agent: then rules against agents hold for it too. */
export function startsAgent(tool: string): boolean {
  if (toolFamily(tool) !== null) return false
  const own = tool.startsWith('mcp__') ? tool.split('__').slice(2).join('__') : tool
  const words = nameWords(own.replace(/sub[^a-z0-9]?agent/gi, ' agent '))
  if (words.some(word => AFTERWARDS.has(word))) return false
  return words.some(word => AGENTS.has(word)) || (words.includes('task') && words.some(word => HANDING.has(word)))
}

const AGENTS = wordSet('agent agents coworker teammate delegate delegation handoff subtask subtasks')
const HANDING = wordSet('new spawn launch dispatch assign')
/** What is done with agents that are there already, and things that are called so and are none. */
const AFTERWARDS = wordSet(
  'list get read show view find search describe info status state log logs result results output wait poll watch close stop kill cancel end terminate delete remove update edit rename config configure settings register unregister user',
)

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}
