import { join } from 'node:path'
import { group, shared } from './hook-file.ts'
import { hostAgent } from './host-agent.ts'

export const antigravity = hostAgent({
  process: /^agy$/,
  // Members of the file are names of hooks, each with its events; ours has the name `hooks`. A member too many, and it drops the file.
  target: shared('antigravity', {
    user: ({ userHome }) => join(userHome, '.gemini', 'config', 'hooks.json'),
    project: ({ projectRoot }) => join(projectRoot, '.agents', 'hooks.json'),
    sign: join('.gemini', 'antigravity'),
    spell: group,
  }),
  shellTool: 'run_command',
  prompt: { promptOptions: ['-p', '--print'], resumeOptions: {} },
  canary: ({ session, cwd, command }) => ({
    conversationId: session,
    workspacePaths: [cwd],
    stepIdx: 0,
    toolCall: { name: 'run_command', args: { CommandLine: command, Cwd: cwd } },
  }),
})
