import { join } from 'node:path'
import { type Spell, shared, timeout } from './hook-file.ts'
import { hostAgent } from './host-agent.ts'

const blockingGroup: Spell = (agent, event, command) => ({
  hooks: [{ type: 'command', command, timeout: timeout(agent, event), on_failure: 'block' }],
})

export const goose = hostAgent({
  process: /^goosed?$/,
  mark: /^GOOSE_TERMINAL$/,
  target: shared('goose', {
    user: ({ userHome }) => join(userHome, '.agents', 'plugins', 'belay', 'hooks', 'hooks.json'),
    project: ({ projectRoot }) => join(projectRoot, '.agents', 'plugins', 'belay', 'hooks', 'hooks.json'),
    sign: join('.config', 'goose'),
    spell: blockingGroup,
  }),
  prompt: { promptOptions: ['-t', '--text'], resumeOptions: { '-r': false, '--resume': false }, subcommand: 'run' },
  beside: ['../../*/hooks/hooks.json'],
  runsInOrder: true,
  everyTool: [undefined, '', '.*'],
  canary: ({ session, cwd, command }) => ({
    session_id: session,
    working_dir: cwd,
    tool_name: 'developer__shell',
    tool_input: { command },
  }),
})
