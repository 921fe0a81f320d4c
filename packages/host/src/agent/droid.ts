import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { group, shared } from './hook-file.ts'
import { hostAgent, sameFiles } from './host-agent.ts'
import { ALL_HOOKS, settingsIn } from './settings-files.ts'

export const droid = hostAgent({
  process: /^droid$/,
  target: shared('droid', {
    user: ({ userHome }) => hookFile(join(userHome, '.factory')),
    project: ({ projectRoot }) => hookFile(join(projectRoot, '.factory')),
    spell: group,
  }),
  switches: { files: place => settingsIn('.factory', place), switches: [ALL_HOOKS, { path: ['hooksDisabled'], off: true }] },
  shellTool: 'Execute',
  prompt: { promptOptions: [], resumeOptions: { '--resume': true, '--continue': false } },
  settings: sameFiles('factory', '.factory/settings.json', '.factory/hooks.json'),
  beside: ['hooks.json', 'settings.json'],
})

/** It reads `hooks` of settings.json only where there is no hooks.json. */
function hookFile(folder: string): string {
  const own = join(folder, 'hooks.json')
  return existsSync(own) ? own : join(folder, 'settings.json')
}
