import { join } from 'node:path'
import { eventsOf, type Spell, shared, timeout } from './hook-file.ts'
import { headless, hostAgent, jsonText, TRIAL_KEY } from './host-agent.ts'
import { ALL_HOOKS } from './settings-files.ts'

const entry: Spell = (agent, event, command) => ({ type: 'command', bash: command, timeoutSec: timeout(agent, event) })

export const copilot = hostAgent({
  process: /^copilot$|@github\/copilot\b/,
  mark: /^COPILOT_CLI$/,
  target: shared('copilot', {
    user: ({ userHome }) => join(userHome, '.copilot', 'hooks', 'belay.json'),
    project: ({ projectRoot }) => join(projectRoot, '.github', 'hooks', 'belay.json'),
    sign: '.copilot',
    events: eventsOf('copilot').filter(name => /^[A-Z]/.test(name)),
    spell: entry,
    beside: { version: 1 },
  }),
  switches: {
    files: ({ userHome, projectRoot }) => [
      join(userHome, '.copilot', 'settings.json'),
      join(userHome, '.copilot', 'config.json'),
      join(projectRoot, '.github', 'copilot', 'settings.json'),
    ],
    switches: [ALL_HOOKS],
  },
  trial: {
    args: (_url, prompt) => ['-p', prompt, '--allow-all-tools', '--no-color'],
    env: url => trialEnv({ url }),
  },
  headless: headless({
    package: '@github/copilot',
    version: '1.0.102',
    env: trialEnv,
    args: prompt => ['-p', prompt, '--allow-all-tools', '--no-color'],
    resume: prompt => ['--continue', '-p', prompt, '--allow-all-tools', '--no-color'],
    asking: prompt => ({ args: ['-p', prompt, '--no-color'] }),
    fullAt: 190_000,
    mcp: ({ home }, { name, ...server }) => ({
      files: {
        [join(home, '.copilot', 'mcp-config.json')]: jsonText({ mcpServers: { [name]: { type: 'local', tools: ['*'], ...server } } }),
      },
    }),
  }),
  prompt: { promptOptions: ['-p', '--prompt', '-i', '--interactive'], resumeOptions: { '--resume': true, '--continue': false } },
  settings: { dialect: 'copilot', user: ['.copilot/hooks/*.json'], project: ['.github/hooks/*.json'] },
  beside: ['*.json'],
})

function trialEnv({ url }: { readonly url: string }): Record<string, string> {
  return {
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: TRIAL_KEY,
    COPILOT_MODEL: 'belay',
    COPILOT_AUTO_UPDATE: 'false',
  }
}
