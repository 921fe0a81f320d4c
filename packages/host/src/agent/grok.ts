import { join } from 'node:path'
import { group, shared } from './hook-file.ts'
import { hostAgent } from './host-agent.ts'

export const grok = hostAgent({
  process: /^grok$|@xai-official\/grok\b/,
  mark: /^GROK_SESSION_ID$/,
  sessionVariable: 'GROK_SESSION_ID',
  target: shared('grok', {
    user: ({ env, userHome }) => join(env.GROK_HOME || join(userHome, '.grok'), 'hooks', 'belay.json'),
    project: ({ projectRoot }) => join(projectRoot, '.grok', 'hooks', 'belay.json'),
    sign: '.grok',
    spell: group,
  }),
  switches: {
    files: ({ env, userHome }) => ['/etc/grok/requirements.toml', join(env.GROK_HOME || join(userHome, '.grok'), 'requirements.toml')],
    switches: [
      { path: ['allow_managed_hooks_only'], off: true },
      { path: ['allowManagedHooksOnly'], off: true },
    ],
  },
  shellTool: 'run_terminal_command',
  prompt: { promptOptions: ['-p', '--prompt'], resumeOptions: { '-c': false, '--continue': false, '-r': true, '--resume': true } },
  settings: { dialect: 'claude', user: ['.grok/hooks/*.json'], project: ['.grok/hooks/*.json'] },
  beside: ['*.json'],
  runsInOrder: true,
})
