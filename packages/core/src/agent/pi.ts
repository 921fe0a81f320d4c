import { LOWER_TOOLS, pluginHost } from './family.ts'

export const pi = pluginHost({
  name: 'pi',
  program: 'pi',
  ownPaths: ['.pi'],
  hookPaths: ['.pi/extensions'],
  events: {
    tool_call: 'PreToolUse',
    tool_result: 'PostToolUse',
    input: 'UserPromptSubmit',
    session_start: 'SessionStart',
    session_shutdown: 'SessionEnd',
    agent_end: 'Stop',
    session_before_compact: 'PreCompact',
  },
  tools: { ...LOWER_TOOLS, ls: 'LS', find: 'Glob' },
  ownInstructions: { names: ['AGENTS.md'], where: 'root' },
  toolArguments: { path: 'file_path' },
})
