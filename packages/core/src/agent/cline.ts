import { isObject } from '../value/is-object.ts'
import type { Json } from './agent.ts'
import { gateOnly, hookFilesIn } from './family.ts'
import { renameFields } from './payload.ts'

export const cline = gateOnly({
  name: 'Cline',
  program: 'cline',
  ownPaths: ['.cline', '.clinerules/hooks', '~/Documents/Cline/Hooks'],
  hookPaths: [...hookFilesIn('.cline'), '.clinerules/hooks', 'Documents/Cline/Hooks'],
  readPayload,
  answer: 'cline',
  // It waits only for the hooks around a tool; of the others it takes no answer.
  can: { rewriteInput: true, blockPrompt: false, blockAfter: false, injectOn: ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'] },
  events: {
    PreToolUse: 'PreToolUse',
    PostToolUse: 'PostToolUse',
    UserPromptSubmit: 'UserPromptSubmit',
    TaskStart: 'SessionStart',
    TaskResume: 'SessionStart',
    SessionShutdown: 'SessionEnd',
    TaskCancel: 'SessionEnd',
    TaskComplete: 'Stop',
    TaskError: 'StopFailure',
    tool_call: 'PreToolUse',
    tool_result: 'PostToolUse',
    prompt_submit: 'UserPromptSubmit',
    agent_end: 'Stop',
  },
  tools: {
    run_commands: 'Bash',
    execute_command: 'Bash',
    read_files: 'Read',
    read_file: 'Read',
    editor: 'Edit',
    write_to_file: 'Write',
    replace_in_file: 'Edit',
    search_codebase: 'Grep',
    search_files: 'Grep',
    list_files: 'LS',
    fetch_web_content: 'WebFetch',
    web_fetch: 'WebFetch',
    spawn_agent: 'Task',
    team_spawn_teammate: 'Task',
    team_run_task: 'Task',
    new_task: 'Task',
    skills: 'Skill',
  },
  toolArguments: { cmd: 'command', path: 'file_path', old_text: 'old_string', new_text: 'new_string' },
  mcpTool: name => (/^[\w.-]+?__[\w.-]+$/.test(name) && !name.startsWith('mcp__') ? `mcp__${name}` : null),
  readPaths: ({ files, paths, file_paths: names }) => [files, paths, names].flatMap(pathsIn),
  timeUnit: null,
  timeoutMs: 120_000,
  contextLimit: 50_000,
  endsAtDeny: true,
  proof: 'run',
})

function readPayload(raw: Json): Json {
  const roots = Array.isArray(raw.workspaceRoots) ? raw.workspaceRoots : []
  const base = { ...renameFields(raw, { taskId: 'session_id', hookName: 'hook_event_name' }), cwd: raw.cwd ?? roots[0] }
  const call = [raw.tool_call, raw.tool_result, raw.preToolUse, raw.postToolUse].find(isObject)
  const prompt = isObject(raw.userPromptSubmit) ? raw.userPromptSubmit.prompt : raw.prompt
  if (call === undefined) return prompt === undefined ? base : { ...base, prompt }
  const name = call.name ?? call.toolName
  const output = call.output ?? call.result
  const error = call.error ?? failedPart(output)
  return {
    ...base,
    tool_name: name,
    tool_input: readInput(name, call.input ?? call.parameters),
    tool_use_id: call.id,
    tool_response: output,
    ...(error === undefined ? {} : { error }),
  }
}

/** It takes lists and single texts in place of an object too. A command on its own is written as it takes one: `{cmd: "..."}`. */
function readInput(name: unknown, input: unknown): unknown {
  const field = typeof name === 'string' ? BARE_FIELDS[name] : undefined
  if (field === undefined) return input
  const whole = typeof input === 'string' || Array.isArray(input) ? { [field]: input } : input
  if (!isObject(whole)) return whole
  const { commands, ...rest } = whole
  const only = Array.isArray(commands) && commands.length === 1 ? commands[0] : commands
  return typeof only === 'string' ? { ...rest, cmd: only } : whole
}

const BARE_FIELDS: Readonly<Record<string, string>> = { run_commands: 'commands', read_files: 'files', search_codebase: 'queries' }

/** One part of a call that failed. */
function failedPart(output: unknown): string | undefined {
  const failed = Array.isArray(output) ? output.find(part => isObject(part) && part.success === false) : undefined
  return failed === undefined ? undefined : typeof failed.error === 'string' ? failed.error : 'failed'
}

/** Files are named as texts or as objects with a range of lines, one or many. */
function pathsIn(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap(pathsIn)
  return [isObject(value) ? (value.path ?? value.file_path ?? value.filePath) : value]
}
