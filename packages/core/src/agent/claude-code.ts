import { CLAUDE_EVENTS, CONTEXT_EVENTS, claudeLike, sameNames } from './family.ts'

/** Before it, the classifier of auto mode could approve what a hook wanted a person to decide. */
const ASKS_IN_AUTO = [2, 1, 211]

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
  toolNames: /^(?:[A-Z]|mcp__)/,
  ownInstructions: { names: ['CLAUDE.md', 'CLAUDE.local.md'], where: 'tree' },
  obeysExitCode: true,
  stopCap: 8,
  hasOurToolNames: true,
  answersItself: (mode, version) => mode === 'auto' && !(version !== null && isSince(version, ASKS_IN_AUTO)),
  trustGate: 'Interactive sessions hold hooks of a folder until you trust it; user-level hooks always run.',
  proof: 'run',
})

function isSince(version: readonly number[], first: readonly number[]): boolean {
  const at = first.findIndex((part, index) => part !== (version[index] ?? 0))
  return at === -1 || (version[at] ?? 0) > (first[at] ?? 0)
}
