import { join } from 'node:path'
import { eventsOf, type Spell, shared, timeout } from './hook-file.ts'
import { hostAgent, sameFiles } from './host-agent.ts'

const entry: Spell = (agent, event, command) => ({ command, timeout: timeout(agent, event), failClosed: true })

export const cursor = hostAgent({
  process: /^cursor(?:-agent)?$/i,
  mark: /^CURSOR_AGENT$/,
  target: shared('cursor', {
    user: ({ userHome }) => join(userHome, '.cursor', 'hooks.json'),
    project: ({ projectRoot }) => join(projectRoot, '.cursor', 'hooks.json'),
    // The general events already carry every tool; the special ones would ask twice.
    events: eventsOf('cursor').filter(event => !/(Shell|MCP)Execution$|ReadFile$|FileEdit$/.test(event)),
    spell: entry,
    beside: { version: 1 },
  }),
  prompt: { promptOptions: [], resumeOptions: { '--resume': true, '--continue': false } },
  settings: sameFiles('cursor', '.cursor/hooks.json'),
  beside: ['cli.json', 'cli-config.json'],
  canary: ({ session, cwd, command }) => ({
    conversation_id: session,
    workspace_roots: [cwd],
    tool_name: 'Shell',
    tool_input: { command },
  }),
})
