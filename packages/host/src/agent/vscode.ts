import { hostAgent } from './host-agent.ts'

/**
 * It has no hook file of its own: the lines of Claude Code and of Copilot CLI are called by it too. Its process says nothing, since people
 * use the terminals in it.
 */
export const vscode = hostAgent({ shellTool: 'run_in_terminal' })
