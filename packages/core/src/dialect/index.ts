// The configuration of hooks in every dialect and form (TOML, JSON, YAML, frontmatter), as definitions that a registry takes.
export { activeDefinitions } from './active-definitions.ts'
export type { DialectId } from './dialect.ts'
export { dialectIds, findDialect } from './dialect-table.ts'
export { hooksTomlSchema } from './hooks-toml-schema.ts'
export { type LoadOptions, loadConfig } from './load-config.ts'
export { type HookFileFormat, type LoadedHooks, loadHooks } from './load-hooks.ts'
export { type LoadedPlugin, loadPlugin, type PluginOptions } from './load-plugin.ts'
export type { LoadedConfig, LoadedHook, LoadedRule } from './loaded-config.ts'
