import { clineFiles } from './generated/cline.ts'
import { owned } from './hook-file.ts'
import { hostAgent } from './host-agent.ts'

export const cline = hostAgent({
  process: /^cline$/,
  mark: /^CLINE_ACTIVE$/,
  target: owned('cline', '.cline', clineFiles),
  canary: ({ session, cwd, command }) => ({
    taskId: session,
    workspaceRoots: [cwd],
    tool_call: { id: 'canary', name: 'execute_command', input: { command } },
  }),
})
