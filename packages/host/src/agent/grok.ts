import { join } from 'node:path'
import { group, shared } from './hook-file.ts'
import { headless, hostAgent, TRIAL_KEY } from './host-agent.ts'

const ALONE = ['--output-format', 'json', '-m', 'trial']

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
  headless: headless({
    package: '@xai-official/grok',
    version: '1.0.41',
    runFiles: ({ home, url }) => ({ [join(home, '.grok', 'config.toml')]: trialConfig(url) }),
    env: () => ({ BELAY_TRIAL_KEY: TRIAL_KEY }),
    args: prompt => [...ALONE, '--always-approve', '-p', prompt],
    resume: prompt => [...ALONE, '--always-approve', '--continue', '-p', prompt],
    fullAt: 190_000,
    mcp: ({ home, url }, { name, command, args }) => ({
      files: {
        [join(home, '.grok', 'config.toml')]:
          `${trialConfig(url)}[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
      },
    }),
  }),
  prompt: { promptOptions: ['-p', '--prompt'], resumeOptions: { '-c': false, '--continue': false, '-r': true, '--resume': true } },
  settings: { dialect: 'claude', user: ['.grok/hooks/*.json'], project: ['.grok/hooks/*.json'] },
  beside: ['*.json'],
  runsInOrder: true,
})

function trialConfig(url: string): string {
  return `[models]
default = "trial"
[model.trial]
base_url = "${url}/v1"
env_key = "BELAY_TRIAL_KEY"
api_backend = "chat_completions"
`
}
