import { join } from 'node:path'
import { opencodePlugin } from './generated/opencode.ts'
import { owned } from './hook-file.ts'
import { headless, hostAgent, jsonText, TRIAL_KEY } from './host-agent.ts'
import type { InstallPlace } from './target.ts'

export const opencode = hostAgent({
  process: /^opencode$|\bopencode-ai\b/,
  mark: /^OPENCODE$/,
  target: owned('opencode', join('.config', 'opencode'), place => [
    { kind: 'own', path: join(folderOf(place), 'plugins', 'belay.js'), text: opencodePlugin('opencode', place.shim) },
  ]),
  shellTool: 'bash',
  headless: headless({
    package: 'opencode-ai',
    version: '1.18.33',
    runFiles: ({ project, url }) => ({ [join(project, 'opencode.json')]: jsonText(trialSettings(url)) }),
    env: ({ home }) => opencodeTrialEnv(home, 'OPENCODE'),
    args: prompt => ['run', '--format', 'json', prompt],
    mcp: ({ home }, { name, command, args }) => ({
      files: {
        [join(home, '.config', 'opencode', 'opencode.json')]: jsonText({
          mcp: { [name]: { type: 'local', command: [command, ...args], enabled: true } },
        }),
      },
    }),
    silent: ['SessionEnd'],
    subAgent: 'general',
    fetches: true,
    limitMs: 600_000,
  }),
  prompt: { promptOptions: ['--prompt'], resumeOptions: { '-c': false, '--continue': false, '-s': true, '--session': true } },
  beside: ['../opencode.json', '../opencode.jsonc', '../../opencode.json', '../../opencode.jsonc'],
  gateEvent: 'tool.execute.before',
})

function folderOf({ scope, env, userHome, projectRoot }: InstallPlace): string {
  return scope === 'project' ? join(projectRoot, '.opencode') : join(env.XDG_CONFIG_HOME || join(userHome, '.config'), 'opencode')
}

/** Of it and of Kilo, which grew out of it. */
export function trialSettings(url: string): unknown {
  const models = { trial: { name: 'trial', tool_call: true, limit: { context: 100_000, output: 8000 } } }
  const options = { baseURL: `${url}/v1`, apiKey: TRIAL_KEY }
  return {
    autoupdate: false,
    share: 'disabled',
    model: 'trial/trial',
    small_model: 'trial/trial',
    provider: { trial: { npm: '@ai-sdk/openai-compatible', name: 'trial', options, models } },
  }
}

export function opencodeTrialEnv(home: string, prefix: 'OPENCODE' | 'KILO'): Record<string, string> {
  const off = ['AUTOUPDATE', 'MODELS_FETCH', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS'].map(name => [`${prefix}_DISABLE_${name}`, '1'])
  return {
    ...Object.fromEntries(off),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_STATE_HOME: join(home, 'state'),
  }
}
