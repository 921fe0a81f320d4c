import { type Dialect, words } from '../dialect.ts'

export const windsurf: Dialect = {
  id: 'windsurf',
  name: 'Windsurf',
  agent: 'windsurf',
  events: words(
    'pre_read_code post_read_code pre_write_code post_write_code pre_run_command post_run_command pre_mcp_tool_use post_mcp_tool_use ' +
      'pre_user_prompt post_cascade_response post_cascade_response_with_transcript post_setup_worktree',
  ),
  canonical: { post_cascade_response_with_transcript: 'Stop', post_setup_worktree: 'WorktreeCreate' },
  json: 'strict',
  timeUnit: 's',
  matcher: null,
  shapes: ['flat'],
  unwrapped: false,
  types: ['command'],
  untyped: true,
  signs: {
    path: /(^|\/)(\.windsurf|\.codeium\/windsurf|etc\/windsurf)\//,
    handlerKeys: ['show_output', 'working_directory'],
    text: /\.windsurf\//,
  },
}
