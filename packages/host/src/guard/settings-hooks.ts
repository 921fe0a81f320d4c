// The files in which agents keep hooks of their own, as places to draw hooks from.
import { join } from 'node:path'
import type { AgentId } from '@belay/core/adapter'
import { type DialectId, loadConfig } from '@belay/core/dialect'
import { HOST_AGENTS } from '../agent/agents.ts'
import type { SettingsFiles } from '../agent/host-agent.ts'
import type { HookFilePlace } from '../config/hook-file.ts'
import { listFolder, type SettingsPlace, shareHooks } from '../config/share-hooks.ts'
import type { TrustStore } from '../config/trust.ts'

const FILES: readonly (SettingsFiles & { readonly agent: AgentId })[] = Object.entries(HOST_AGENTS).flatMap(([agent, { settings }]) =>
  settings === null ? [] : [{ agent: agent as AgentId, ...settings }],
)
const EVERY_NAME = '/*.json'

export function settingsPlaces({ root, userHome, trust }: SettingsPlace): readonly HookFilePlace[] {
  return FILES.flatMap(({ agent, dialect, user, project }) => [
    ...user.flatMap(file => expand(join(userHome, file), trust)).map(path => placeOf(path, 'user', agent, dialect)),
    ...project.flatMap(file => expand(join(root, file), trust)).map(path => placeOf(path, 'project', agent, dialect)),
  ])
}

/** Folders in which a file may appear that was not there. */
export function settingsFolders({ root, userHome }: Pick<SettingsPlace, 'root' | 'userHome'>): readonly string[] {
  return FILES.flatMap(({ user, project }) => [...user.map(file => join(userHome, file)), ...project.map(file => join(root, file))])
    .filter(path => path.endsWith(EVERY_NAME))
    .map(folderOf)
}

function folderOf(path: string): string {
  return path.slice(0, -EVERY_NAME.length)
}

function expand(path: string, trust: TrustStore): readonly string[] {
  if (!path.endsWith(EVERY_NAME)) return [path]
  const folder = folderOf(path)
  return listFolder(folder, trust)
    .filter(name => name.endsWith('.json'))
    .map(name => join(folder, name))
}

function placeOf(path: string, owner: HookFilePlace['owner'], agent: AgentId, dialect: DialectId): HookFilePlace {
  const parse = (text: string) => shareHooks(loadConfig(text, { path, dialect, scope: 'session' }), agent)
  return { path, owner, source: 'settings', isShared: true, parse }
}
