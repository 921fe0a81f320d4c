// Hooks for a registry in this process, from the text of hooks.toml, of the same in JSON, or of a SKILL.md with frontmatter.
import type { HookDefinition } from '../hook/hook-definition.ts'
import type { HookSettings } from '../registry/plan.ts'
import type { Diagnostic } from '../verdict/place.ts'
import { activeDefinitions } from './active-definitions.ts'
import type { DialectId } from './dialect.ts'
import { loadConfig } from './load-config.ts'

export type HookFileFormat = 'toml' | 'json' | 'frontmatter'

export interface LoadedHooks {
  /** For `registry.addAll`; those of frontmatter for `registry.registerSkill`, with the undo called when the skill ends. */
  readonly hooks: readonly HookDefinition[]
  /** For `createHooks` or `registry.configure`. */
  readonly settings: Pick<HookSettings, 'disableAllHooks' | 'allowManagedHooksOnly'>
  /** An error means that the file should not be used: a hook in it would not run. */
  readonly diagnostics: readonly Diagnostic[]
}

const FILES: Readonly<Record<HookFileFormat, string>> = { toml: 'hooks.toml', json: 'hooks.json', frontmatter: 'SKILL.md' }

/** Never throws. `file`: for messages. A list of hooks in JSON follows the rules of hooks.toml, events with their hooks those of Claude's settings. */
export function loadHooks(text: string, format: HookFileFormat, file: string = FILES[format]): LoadedHooks {
  const scope = format === 'frontmatter' ? 'skill' : 'session'
  const load = (dialect: DialectId) => loadConfig(text, { path: file, dialect, scope, format })
  const first = load(format === 'toml' ? 'hooks-toml' : format === 'json' ? 'belay' : 'claude')
  const isList = format === 'json' && first.hooks.some(({ shape }) => shape === 'list')
  const config = isList ? load('hooks-toml') : first
  return { hooks: activeDefinitions(config), settings: config.settings, diagnostics: config.diagnostics }
}
