// Every file that hooks are drawn from, beside the policies: the one list of sources behind every door.
import type { HookSettings } from '@belay/core'
import type { GenesisPolicy } from '@belay/core/policy'
import { agentFolders, agentPlaces } from '../config/agent-hooks.ts'
import { homePaths } from '../config/home.ts'
import { type HookFile, type HookFilePlace, type HookSource, loadHookFile, rememberHookFile, sourceState } from '../config/hook-file.ts'
import { pluginFolders, pluginPlaces } from '../config/plugin-hooks.ts'
import { ownHookPlaces } from '../config/project-hooks.ts'
import { skillFolders, skillPlaces } from '../config/skill-hooks.ts'
import { readTrust, type TrustStore } from '../config/trust.ts'
import { settingsFolders, settingsPlaces } from './settings-hooks.ts'

export interface SourcesPlace {
  readonly root: string
  readonly home: string
  readonly userHome: string
}

type TrustedPlace = SourcesPlace & { readonly trust: TrustStore }

function withTrust(place: SourcesPlace): TrustedPlace {
  return { ...place, trust: readTrust(homePaths(place.home).trust) }
}

interface Source {
  readonly name: HookSource
  files(place: TrustedPlace): readonly HookFilePlace[]
  /** Folders in which a file may appear that was not there. */
  folders(place: SourcesPlace): readonly string[]
}

/** In the order of their scopes: plugin, session, skill. */
const SOURCES: readonly Source[] = [
  { name: 'plugin', files: pluginPlaces, folders: place => pluginFolders(place).map(({ folder }) => folder) },
  { name: 'hooks_toml', files: ownHookPlaces, folders: () => [] },
  { name: 'settings', files: settingsPlaces, folders: settingsFolders },
  { name: 'skill', files: skillPlaces, folders: place => skillFolders(place).map(({ folder }) => folder) },
  { name: 'skill', files: agentPlaces, folders: place => agentFolders(place).map(({ folder }) => folder) },
]

/** hooks.toml is shown also where a policy leaves it out; what nobody asks for is not read at all. */
function sourcesFor(policies: readonly GenesisPolicy[]): readonly (Source & { readonly refused: string | null })[] {
  return SOURCES.flatMap(source => {
    const { isWanted, refused } = sourceState(policies, source.name)
    return isWanted || source.name === 'hooks_toml' ? [{ ...source, refused }] : []
  })
}

export function loadHookFiles(place: SourcesPlace, policies: readonly GenesisPolicy[], remember: boolean): readonly HookFile[] {
  const trusted = withTrust(place)
  const { trust } = trusted
  const loaded = sourcesFor(policies).flatMap(({ files, refused }) =>
    files(trusted).flatMap(each => loadHookFile(each, { trust, refused }) ?? []),
  )
  if (remember && trust.problem === null) for (const file of loaded) rememberHookFile(file, trust)
  return loaded
}

/** Every place that hooks may come from, whether the policies ask for it or not. */
export function hookPlaces(place: SourcesPlace): readonly HookFilePlace[] {
  return SOURCES.flatMap(({ files }) => files(withTrust(place)))
}

/** Files and folders that such a list is made from, whether they are there or not. */
export function hookSourceFiles(place: SourcesPlace, policies: readonly GenesisPolicy[]): readonly string[] {
  return sourcesFor(policies).flatMap(({ files, folders }) => [...files(withTrust(place)).map(({ path }) => path), ...folders(place)])
}

export interface SwitchedOff {
  readonly settings: Pick<HookSettings, 'disableAllHooks' | 'allowManagedHooksOnly'>
  /** Why no hook beside those of policies runs; null: they do. */
  readonly why: string | null
}

/** What config.toml or a file of hooks in force says to all hooks but those of policies. */
export function switchedOff(config: HookSettings, configFile: string, files: readonly HookFile[]): SwitchedOff {
  const said = [{ path: configFile, settings: config }, ...files]
  const all = said.find(({ settings }) => settings.disableAllHooks === true)
  const managed = said.find(({ settings }) => settings.allowManagedHooksOnly === true)
  const settings = {
    ...(all === undefined ? {} : { disableAllHooks: true }),
    ...(managed === undefined ? {} : { allowManagedHooksOnly: true }),
  }
  if (all !== undefined) return { settings, why: `switched off by disable_all_hooks in ${all.path}` }
  return { settings, why: managed === undefined ? null : `left out by allow_managed_hooks_only in ${managed.path}` }
}
