import { isObject } from '../value/is-object.ts'
import type { Json } from './agent.ts'
import { gateOnly, hookFilesIn } from './family.ts'
import { renameFields } from './payload.ts'

export const cline = gateOnly({
  name: 'Cline',
  program: 'cline',
  ownPaths: ['.cline', '.clinerules/hooks', '~/Documents/Cline/Hooks'],
  hookPaths: hookFilesIn('.cline'),
  readPayload,
  answer: 'cline',
  can: { rewriteInput: true, injectOn: ['PreToolUse', 'UserPromptSubmit', 'SessionStart'] },
  events: {
    PreToolUse: 'PreToolUse',
    PostToolUse: 'PostToolUse',
    UserPromptSubmit: 'UserPromptSubmit',
    TaskStart: 'SessionStart',
    TaskResume: 'SessionStart',
    SessionShutdown: 'SessionEnd',
    TaskCancel: 'SessionEnd',
    TaskComplete: 'Stop',
    tool_call: 'PreToolUse',
    tool_result: 'PostToolUse',
    prompt_submit: 'UserPromptSubmit',
    agent_end: 'Stop',
  },
  tools: {
    execute_command: 'Bash',
    run_commands: 'Bash',
    read_file: 'Read',
    write_to_file: 'Write',
    replace_in_file: 'Edit',
    search_files: 'Grep',
    list_files: 'LS',
    web_fetch: 'WebFetch',
    new_task: 'Task',
  },
  toolArguments: { path: 'file_path' },
  timeUnit: null,
  timeoutMs: 30_000,
  contextLimit: 50_000,
})

function readPayload(raw: Json): Json {
  const roots = Array.isArray(raw.workspaceRoots) ? raw.workspaceRoots : []
  const base = { ...renameFields(raw, { taskId: 'session_id', hookName: 'hook_event_name' }), cwd: raw.cwd ?? roots[0] }
  const call = [raw.tool_call, raw.tool_result, raw.preToolUse, raw.postToolUse].find(isObject)
  const prompt = isObject(raw.userPromptSubmit) ? raw.userPromptSubmit.prompt : raw.prompt
  if (call === undefined) return prompt === undefined ? base : { ...base, prompt }
  return {
    ...base,
    tool_name: call.name ?? call.toolName,
    tool_input: call.input ?? call.parameters,
    tool_use_id: call.id,
    tool_response: call.output ?? call.result,
    ...(call.error === undefined ? {} : { error: call.error }),
  }
}
