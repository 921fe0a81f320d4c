import { join } from 'node:path'
import { opencodePlugin } from './generated/opencode.ts'
import { owned } from './hook-file.ts'
import { hostAgent } from './host-agent.ts'
import type { InstallPlace } from './target.ts'

export const kilo = hostAgent({
  process: /^\.?kilo$|^kilocode$|@kilocode\/cli\b/,
  mark: /^KILO$/,
  target: owned('kilo', join('.config', 'kilo'), place => [
    { kind: 'own', path: join(folderOf(place), 'plugin', 'belay.js'), text: opencodePlugin('kilo', place.shim) },
  ]),
  shellTool: 'bash',
  prompt: { promptOptions: ['--prompt'], resumeOptions: { '-c': false, '--continue': false, '-s': true, '--session': true } },
  beside: ['../kilo.json', '../kilo.jsonc', '../../kilo.json', '../../kilo.jsonc'],
  gateEvent: 'tool.execute.before',
})

function folderOf({ scope, env, userHome, projectRoot }: InstallPlace): string {
  return scope === 'project' ? join(projectRoot, '.kilo') : join(env.XDG_CONFIG_HOME || join(userHome, '.config'), 'kilo')
}
