import { join } from 'node:path'
import { type Spell, shared } from './hook-file.ts'
import { hostAgent } from './host-agent.ts'

const entry: Spell = (_agent, _event, command) => ({ command, show_output: true })

export const windsurf = hostAgent({
  process: /^windsurf$/i,
  target: shared('windsurf', {
    user: ({ userHome }) => join(userHome, '.codeium', 'windsurf', 'hooks.json'),
    project: ({ projectRoot }) => join(projectRoot, '.windsurf', 'hooks.json'),
    spell: entry,
  }),
  settings: { dialect: 'windsurf', user: ['.codeium/windsurf/hooks.json'], project: ['.windsurf/hooks.json'] },
  runsInOrder: true,
  canary: ({ session, cwd, command }) => ({ trajectory_id: session, tool_info: { command_line: command, cwd } }),
})
