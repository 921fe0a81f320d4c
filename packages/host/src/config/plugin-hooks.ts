// The hooks of plugins (`hooks/hooks.json`, or what a manifest leads to), where the policy asks for them (`hooks_from: [genesis, plugin]`).
// Claude Code runs the plugins that it has installed itself, so hooks below `.claude` never run on its events.
import { existsSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { HookDefinition } from '@belay/core'
import { activeDefinitions, loadConfig, loadPlugin } from '@belay/core/dialect'
import { readPolicyText } from './genesis-text.ts'
import type { HookFilePlace, ParsedHooks } from './hook-file.ts'
import { listFolder, type SettingsPlace, shareHooks } from './share-hooks.ts'

export interface PluginPlace extends SettingsPlace {
  readonly home: string
}

const MANIFEST = '.claude-plugin/plugin.json'
const HOOKS = 'hooks/hooks.json'

interface PluginFolder {
  readonly folder: string
  readonly owner: HookFilePlace['owner']
  /** Claude Code runs it itself. */
  readonly isClaudes: boolean
}

export function pluginFolders({ root, home, userHome }: Omit<PluginPlace, 'trust'>): readonly Omit<PluginFolder, 'isClaudes'>[] {
  return [
    { folder: join(home, 'plugins'), owner: 'user' },
    { folder: join(userHome, '.claude', 'plugins'), owner: 'user' },
    { folder: join(root, '.belay', 'plugins'), owner: 'project' },
    { folder: join(root, '.claude', 'plugins'), owner: 'project' },
  ]
}

export function pluginPlaces(place: PluginPlace): readonly HookFilePlace[] {
  const inFolders = pluginFolders(place).flatMap(({ folder, owner }) =>
    listFolder(folder, place.trust).map(name => ({ folder: join(folder, name), owner, isClaudes: folder.includes('/.claude/') })),
  )
  // A project may itself be a plugin.
  const all: readonly PluginFolder[] = [...inFolders, { folder: place.root, owner: 'project', isClaudes: false }]
  return all.flatMap(placesOf)
}

function placesOf(plugin: PluginFolder): readonly HookFilePlace[] {
  const { folder, owner } = plugin
  const read = (path: string) => readInside(folder, path)
  const led = [...loadPlugin({ manifest: MANIFEST, read, dialect: 'claude' }).files.keys()]
  // Those that are gone may have been trusted.
  const files = new Set([MANIFEST, HOOKS, ...led])
  return [...files].map(file => ({
    path: join(folder, file),
    owner,
    source: 'plugin',
    isShared: true,
    parse: text => parsePluginFile(text, join(folder, file), plugin),
  }))
}

/** A link out of the plugin is not followed. */
function readInside(folder: string, path: string): string | null {
  const file = join(folder, path)
  if (!existsSync(file) || relative(realpathSync(folder), realpathSync(file)).startsWith('..')) return null
  const read = readPolicyText(file)
  return read.kind === 'text' ? read.text : null
}

function parsePluginFile(text: string, path: string, { folder, isClaudes }: PluginFolder): ParsedHooks {
  const config = loadConfig(text, { path, dialect: 'claude', scope: 'plugin' })
  const { hooks, diagnostics } = isClaudes
    ? shareHooks(config, 'claude-code')
    : { hooks: activeDefinitions(config), diagnostics: config.diagnostics }
  return { hooks: hooks.map(hook => withEnv(hook, { CLAUDE_PLUGIN_ROOT: folder, PLUGIN_ROOT: folder })), settings: {}, diagnostics }
}

/** Variables that its author may count on. */
export function withEnv(hook: HookDefinition, env: Readonly<Record<string, string>>): HookDefinition {
  const { handler } = hook
  return handler.type === 'command' ? { ...hook, handler: { ...handler, env: { ...env, ...handler.env } } } : hook
}
