import { hostAgent } from './host-agent.ts'

/** It has no hook file of its own: the lines of Claude Code and of Copilot CLI are called by it too. */
export const vscode = hostAgent({ process: /^(?:code|code-insiders|codium)$/, shellTool: 'run_in_terminal' })
