import { LOWER_TOOLS, pluginHost } from './family.ts'

export const opencode = pluginHost({
  name: 'opencode',
  program: 'opencode',
  ownPaths: ['.opencode', 'opencode.json', 'opencode.jsonc', '~/.config/opencode'],
  hookPaths: ['.opencode/plugin'],
  events: {
    'tool.execute.before': 'PreToolUse',
    'tool.execute.after': 'PostToolUse',
    'chat.message': 'UserPromptSubmit',
    'session.created': 'SessionStart',
    'session.deleted': 'SessionEnd',
    'session.idle': 'Stop',
    'permission.asked': 'PermissionRequest',
    'session.compacting': 'PreCompact',
  },
  tools: { ...LOWER_TOOLS, shell: 'Bash' },
  toolArguments: { filePath: 'file_path', oldString: 'old_string', newString: 'new_string' },
  ownMcpTool: (server, tool) => `${server}_${tool}`,
  joinsMcpNames: true,
  ownInstructions: { names: ['AGENTS.md'], where: 'root' },
})
