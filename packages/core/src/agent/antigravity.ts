import { isObject } from '../value/is-object.ts'
import type { Json } from './agent.ts'
import { gateOnly, sameNames } from './family.ts'
import { renameFields } from './payload.ts'

export const antigravity = gateOnly({
  name: 'Antigravity',
  program: 'agy',
  ownPaths: ['.agents/hooks.json', '~/.gemini/config', '~/.gemini/antigravity'],
  hookPaths: ['.agents/hooks', '.gemini/config/hooks'],
  readPayload,
  answer: 'antigravity',
  can: { ask: true, allow: true, blockPrompt: false },
  // Those around each request to the model would cost every turn and decide nothing here.
  events: sameNames('PreToolUse PostToolUse Stop'),
  tools: {
    run_command: 'Bash',
    send_command_input: 'Bash',
    view_file: 'Read',
    view_file_outline: 'Read',
    view_code_item: 'Read',
    write_to_file: 'Write',
    replace_file_content: 'Edit',
    multi_replace_file_content: 'Edit',
    list_dir: 'LS',
    grep_search: 'Grep',
    find_by_name: 'Glob',
    read_url_content: 'WebFetch',
    search_web: 'WebSearch',
    browser_subagent: 'Task',
  },
  toolArguments: {
    CommandLine: 'command',
    Input: 'command',
    AbsolutePath: 'file_path',
    TargetFile: 'file_path',
    File: 'file_path',
    CodeContent: 'content',
    DirectoryPath: 'path',
    SearchPath: 'path',
    SearchDirectory: 'path',
    Query: 'pattern',
    Pattern: 'pattern',
    Url: 'url',
    Task: 'prompt',
  },
  timeoutMs: 30_000,
  hasCallId: false,
  onFailure: 'closed',
})

/** It says neither the event nor the directory, and the call in an object of its own. */
function readPayload(raw: Json): Json {
  const { toolCall, workspacePaths, ...rest } = raw
  const shaped = renameFields(rest, { conversationId: 'session_id', transcriptPath: 'transcript_path', toolResult: 'tool_response' })
  const folder = Array.isArray(workspacePaths) ? workspacePaths[0] : undefined
  return {
    ...shaped,
    ...(typeof folder === 'string' && shaped.cwd === undefined ? { cwd: folder } : {}),
    ...(isObject(toolCall) ? { tool_name: toolCall.name, tool_input: toolCall.args } : {}),
  }
}
