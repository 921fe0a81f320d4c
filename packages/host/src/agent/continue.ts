import { join } from 'node:path'
import { group, shared } from './hook-file.ts'
import { hostAgent, sameFiles } from './host-agent.ts'
import { ALL_HOOKS, claudeSettings, settingsIn } from './settings-files.ts'

export const continueCli = hostAgent({
  process: /^cn$|@continuedev\/cli\b/,
  target: shared('continue', {
    user: ({ userHome }) => join(userHome, '.continue', 'settings.json'),
    project: ({ projectRoot }) => join(projectRoot, '.continue', 'settings.json'),
    spell: group,
  }),
  // It reads Claude's files as well.
  switches: { files: place => [...settingsIn('.continue', place), ...claudeSettings(place)], switches: [ALL_HOOKS] },
  settings: sameFiles('claude', '.continue/settings.json', '.continue/settings.local.json'),
  beside: ['settings.local.json'],
})
