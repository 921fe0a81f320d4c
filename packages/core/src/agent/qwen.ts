import { claudeLike, hookFilesIn, sameNames } from './family.ts'
import { gemini } from './gemini.ts'

export const qwen = claudeLike({
  name: 'Qwen Code',
  program: 'qwen',
  ownPaths: ['.qwen'],
  hookPaths: hookFilesIn('.qwen'),
  can: { rewriteInput: false, blockAfter: false, injectOn: ['SessionStart', 'UserPromptSubmit', 'PostToolUse'] },
  events: sameNames(
    'PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact Notification PermissionRequest PostToolBatch',
  ),
  // It grew out of Gemini CLI.
  tools: { ...gemini.tools, monitor: 'Bash', task: 'Task' },
  toolArguments: gemini.toolArguments,
  exitCode: gemini.exitCode,
  timeUnit: 'ms',
  timeoutMs: 60_000,
  joinsMcpNames: true,
  ownLines: gemini.ownLines,
  unheardText: gemini.unheardText,
  projectVariables: ['QWEN_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'],
  proof: 'run',
})
