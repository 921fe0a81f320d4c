import { CLAUDE_EVENTS, CONTEXT_EVENTS, claudeLike, sameNames } from './family.ts'

export const claudeCode = claudeLike({
  name: 'Claude Code',
  program: 'claude',
  ownPaths: ['.claude', '.claude.json', '.mcp.json', '~/Library/Application Support/Claude', '/etc/claude-code'],
  hookPaths: ['.claude/settings', '.claude.json'],
  can: {
    replaceOutput: true,
    injectOn: [...CONTEXT_EVENTS, 'Setup', 'PostToolBatch', 'Stop', 'SubagentStop', 'UserPromptExpansion'],
  },
  events: {
    ...CLAUDE_EVENTS,
    ...sameNames(
      'Setup UserPromptExpansion PermissionDenied PostToolBatch StopFailure PostCompact InstructionsLoaded CwdChanged FileChanged DirectoryAdded PreModelSwitch PostModelSwitch TaskCreated Elicitation ElicitationResult WorktreeCreate WorktreeRemove MessageDisplay',
    ),
  },
  tools: { Agent: 'Task' },
  ownInstructions: { names: ['CLAUDE.md', 'CLAUDE.local.md'], where: 'tree' },
  obeysExitCode: true,
  stopCap: 8,
  hasOurToolNames: true,
  trustGate: 'Interactive sessions hold hooks of a folder until you trust it; user-level hooks always run.',
  proof: 'run',
})
