import { claudeLike, hookFilesIn, sameNames } from './family.ts'

export const droid = claudeLike({
  name: 'Factory Droid',
  program: 'droid',
  ownPaths: ['.factory'],
  hookPaths: hookFilesIn('.factory'),
  events: sameNames('PreToolUse PostToolUse UserPromptSubmit SessionStart SessionEnd Stop SubagentStop PreCompact Notification'),
  tools: { Execute: 'Bash', Create: 'Write', FetchUrl: 'WebFetch' },
  ownInstructions: { names: ['AGENTS.md'], where: 'root' },
  timeoutMs: 60_000,
  projectVariables: ['FACTORY_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'],
})
