import { join } from 'node:path'
import { opencodePlugin } from './generated/opencode.ts'
import { owned } from './hook-file.ts'
import { headless, hostAgent, jsonText } from './host-agent.ts'
import { opencodeTrialEnv, trialSettings } from './opencode.ts'
import type { InstallPlace } from './target.ts'

export const kilo = hostAgent({
  process: /^\.?kilo$|^kilocode$|@kilocode\/cli\b/,
  mark: /^KILO$/,
  target: owned('kilo', join('.config', 'kilo'), place => [
    { kind: 'own', path: join(folderOf(place), 'plugin', 'belay.js'), text: opencodePlugin('kilo', place.shim) },
  ]),
  shellTool: 'bash',
  headless: headless({
    package: '@kilocode/cli',
    version: '7.7.7',
    runFiles: ({ project, url }) => ({ [join(project, 'kilo.json')]: jsonText(trialSettings(url)) }),
    env: ({ home }) => ({ ...opencodeTrialEnv(home, 'KILO'), KILO_DISABLE_SESSION_INGEST: '1', KILO_DISABLE_SHARE: '1' }),
    args: prompt => ['run', '--auto', '--format', 'json', prompt],
    mcp: ({ home }, { name, command, args }) => ({
      files: {
        [join(home, '.config', 'kilo', 'kilo.json')]: jsonText({
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
  beside: ['../kilo.json', '../kilo.jsonc', '../../kilo.json', '../../kilo.jsonc'],
  gateEvent: 'tool.execute.before',
})

function folderOf({ scope, env, userHome, projectRoot }: InstallPlace): string {
  return scope === 'project' ? join(projectRoot, '.kilo') : join(env.XDG_CONFIG_HOME || join(userHome, '.config'), 'kilo')
}
