// opencode and what grew out of it: one plugin file, one form of settings, one way to run headless.
import { join } from 'node:path'
import { opencodePlugin } from './generated/opencode.ts'
import { owned } from './hook-file.ts'
import { type HostAgent, headless, hostAgent, jsonText, TRIAL_KEY } from './host-agent.ts'
import type { InstallPlace } from './target.ts'

export interface OpencodeLike {
  /** Its id, also the name of its folders and settings files. */
  readonly id: Parameters<typeof opencodePlugin>[0]
  readonly process: RegExp
  readonly mark: RegExp
  /** The folder that it reads plugins from. */
  readonly plugins: 'plugin' | 'plugins'
  readonly package: string
  readonly version: string
  /** Begins its variables. */
  readonly prefix: string
  /** What a trial switches off beside what the whole family does. */
  readonly alsoOff?: readonly string[]
  readonly args: readonly string[]
  /** Lets it ask nobody. */
  readonly always?: readonly string[]
}

export function opencodeLike({
  id,
  process,
  mark,
  plugins,
  prefix,
  alsoOff = [],
  args,
  always = [],
  ...published
}: OpencodeLike): HostAgent {
  const settings = [`${id}.json`, `${id}.jsonc`]
  return hostAgent({
    process,
    mark,
    target: owned(id, join('.config', id), place => [
      { kind: 'own', path: join(folderOf(id, place), plugins, 'belay.js'), text: opencodePlugin(id, place.shim) },
    ]),
    shellTool: 'bash',
    headless: headless({
      ...published,
      runFiles: ({ project, url }) => ({ [join(project, `${id}.json`)]: jsonText(trialSettings(url)) }),
      env: ({ home }) => trialEnv(home, prefix, alsoOff),
      args: prompt => [...args, ...always, prompt],
      resume: prompt => [...args, ...always, '--continue', prompt],
      asking: (prompt, { project, url }) => ({
        args: [...args, prompt],
        files: { [join(project, `${id}.json`)]: jsonText({ ...trialSettings(url), permission: { bash: 'ask' } }) },
      }),
      fullAt: 99_000,
      mcp: ({ home }, { name, command, args: words }) => ({
        files: {
          [join(home, '.config', id, `${id}.json`)]: jsonText({
            mcp: { [name]: { type: 'local', command: [command, ...words], enabled: true } },
          }),
        },
      }),
      silent: ['SessionEnd'],
      subAgent: 'general',
      fetches: true,
      limitMs: 600_000,
    }),
    prompt: { promptOptions: ['--prompt'], resumeOptions: { '-c': false, '--continue': false, '-s': true, '--session': true } },
    beside: ['..', '../..'].flatMap(folder => settings.map(file => `${folder}/${file}`)),
    gateEvent: 'tool.execute.before',
  })
}

function folderOf(id: string, { scope, env, userHome, projectRoot }: InstallPlace): string {
  return scope === 'project' ? join(projectRoot, `.${id}`) : join(env.XDG_CONFIG_HOME || join(userHome, '.config'), id)
}

function trialSettings(url: string): Readonly<Record<string, unknown>> {
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

function trialEnv(home: string, prefix: string, alsoOff: readonly string[]): Record<string, string> {
  const off = ['AUTOUPDATE', 'MODELS_FETCH', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS', ...alsoOff]
  return {
    ...Object.fromEntries(off.map(name => [`${prefix}_DISABLE_${name}`, '1'])),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_STATE_HOME: join(home, 'state'),
  }
}
