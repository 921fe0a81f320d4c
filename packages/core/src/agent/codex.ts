import { claudeLike, hookFilesIn, sameNames } from './family.ts'

export const codex = claudeLike({
  name: 'Codex',
  program: 'codex',
  ownPaths: ['.codex', '/etc/codex'],
  hookPaths: hookFilesIn('.codex'),
  answer: 'codex',
  can: { ask: false, allow: false, replaceOutput: true },
  events: sameNames(
    'PreToolUse PostToolUse UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact PostCompact PermissionRequest',
  ),
  tools: {
    exec_command: 'Bash',
    shell: 'Bash',
    shell_command: 'Bash',
    local_shell: 'Bash',
    spawn_agent: 'Task',
    web_search: 'WebSearch',
  },
  toolArguments: { cmd: 'command' },
  ownInstructions: { names: ['AGENTS.md', 'AGENTS.override.md'], where: 'root' },
  sessionEndMs: 3000,
  obeysExitCode: true,
  startsUserShell: true,
  projectVariables: [],
  hasOurToolNames: true,
  trustGate: 'Codex runs a new hook only after you have reviewed it with /hooks (or it is listed in managed requirements).',
  proof: 'run',
})
