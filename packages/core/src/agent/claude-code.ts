import { CLAUDE_EVENTS, CONTEXT_EVENTS, claudeLike, sameNames } from './family.ts'
import { isSince } from './is-since.ts'

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
  strictBefore: {
    version: [2, 1, 101],
    events: 'PreToolUse PostToolUse UserPromptSubmit SessionStart SessionEnd Stop SubagentStop PreCompact Notification'.split(' '),
  },
  tools: { Agent: 'Task' },
  toolNames: /^(?:[A-Z]|mcp__)/,
  ownInstructions: { names: ['CLAUDE.md', 'CLAUDE.local.md'], where: 'tree' },
  obeysExitCode: true,
  stopCap: 8,
  hasOurToolNames: true,
  answersItself: (mode, version) => mode === 'auto' && !(version !== null && isSince(version, ASKS_IN_AUTO)),
  trustGate: 'Hooks of a project run once you trust its folder; those in your own settings always run.',
  proof: 'run',
})
