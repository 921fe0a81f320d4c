// Settings that switch hooks off, where several agents have the same.
import { join } from 'node:path'
import type { Switch, Switches } from './host-agent.ts'

export const ALL_HOOKS: Switch = { path: ['disableAllHooks'], off: true }

export const GEMINI_SWITCHES: readonly Switch[] = [
  { path: ['hooksConfig', 'enabled'], off: false },
  { path: ['hooksConfig', 'disabled'], off: 'listed' },
  { path: ['hooks', 'enabled'], off: false },
  { path: ['hooks', 'disabled'], off: 'listed' },
  { path: ['tools', 'enableHooks'], off: false },
]

/** Settings of the user, of the project, and those that a project's person keeps out of git. */
export function settingsIn(folder: string, { userHome, projectRoot }: Parameters<Switches['files']>[0]): readonly string[] {
  return [userHome, projectRoot].flatMap(root => ['settings.json', 'settings.local.json'].map(name => join(root, folder, name)))
}

/** Variables that the agent takes from a file, also of a repository that was only cloned. */
export function variablesIn(folder: string, { userHome, projectRoot }: Parameters<Switches['files']>[0]): readonly string[] {
  return [userHome, projectRoot].flatMap(root => [join(root, folder, '.env'), join(root, '.env')])
}

export const claudeSettings: Switches['files'] = place => [
  '/etc/claude-code/managed-settings.json',
  ...settingsIn('.claude', place),
  ...(place.env.CLAUDE_CONFIG_DIR ? [join(place.env.CLAUDE_CONFIG_DIR, 'settings.json')] : []),
]
