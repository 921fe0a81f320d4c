import { join } from 'node:path'
import { opencodePlugin } from './generated/opencode.ts'
import { owned } from './hook-file.ts'
import { hostAgent } from './host-agent.ts'
import type { InstallPlace } from './target.ts'

export const opencode = hostAgent({
  process: /^opencode$|\bopencode-ai\b/,
  mark: /^OPENCODE$/,
  target: owned('opencode', join('.config', 'opencode'), place => [
    { kind: 'own', path: join(folderOf(place), 'plugins', 'belay.js'), text: opencodePlugin('opencode', place.shim) },
  ]),
  shellTool: 'bash',
  prompt: { promptOptions: ['--prompt'], resumeOptions: { '-c': false, '--continue': false, '-s': true, '--session': true } },
  beside: ['../opencode.json', '../opencode.jsonc', '../../opencode.json', '../../opencode.jsonc'],
  gateEvent: 'tool.execute.before',
})

function folderOf({ scope, env, userHome, projectRoot }: InstallPlace): string {
  return scope === 'project' ? join(projectRoot, '.opencode') : join(env.XDG_CONFIG_HOME || join(userHome, '.config'), 'opencode')
}
