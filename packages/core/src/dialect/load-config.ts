// The text of one configuration file -> what it says, in one model for all dialects. Pure, and never throws: whatever is wrong with the file
// or with one entry becomes a diagnostic with its place, and the rest holds.

import type { Scope } from '../hook/hook-definition.ts'
import type { Diagnostic, Place } from '../verdict/place.ts'
import { checkOwnFile, checkOwnHook } from './check-own-hook.ts'
import { type ConfigNode, field, flagField, objectField, type TextProblem, textField } from './config-node.ts'
import { detectDialect } from './detect-dialect.ts'
import type { Dialect, DialectId } from './dialect.ts'
import { findDialect, isOwnDialect } from './dialect-table.ts'
import { matcherJudge } from './judge-matcher.ts'
import { indexLines } from './line-index.ts'
import { lintHook } from './lint-hook.ts'
import { loadGenesis } from './load-genesis.ts'
import { type HookSetting, loadHook } from './load-hook.ts'
import { loadRule } from './load-rule.ts'
import type { CommandSetting, LoadedConfig } from './loaded-config.ts'
import { type ConfigFormat, type ParsedText, parseText } from './parse-text.ts'
import { walkHooks } from './walk-hooks.ts'
import { walkPermissions } from './walk-permissions.ts'

export interface LoadOptions {
  /** The file's path, for its format, its dialect and for messages. */
  readonly path?: string
  /** Whose rules hold; found from path and content where it is not given. */
  readonly dialect?: DialectId
  readonly scope?: Scope
  /** Found from path and text where it is not given. */
  readonly format?: ConfigFormat
}

export function loadConfig(text: string | Uint8Array, options: LoadOptions = {}): LoadedConfig {
  const parsed = parseText(text, options.path, options.format)
  const found = walkHooks(parsed.root)
  const dialect = (options.dialect === undefined ? null : findDialect(options.dialect)) ?? detectDialect(parsed, found, options.path)
  const place = placer(parsed, options.path)
  const scope = options.scope ?? scopeOf(dialect, parsed, options.path)
  const setting: HookSetting = { dialect, scope, place, fileWhy: fileWhy(parsed, dialect, place), judge: matcherJudge(dialect) }
  const hooks = found.hooks.map(hook => loadHook(hook, setting))
  const rules = walkPermissions(parsed.root).map(rule => loadRule(rule, dialect, place(rule.at)))
  const loaded: LoadedConfig = {
    dialect: dialect.id,
    format: parsed.format,
    parse: parsed.parse,
    skipped: parsed.parse === 'invalid' || isSkipped(parsed, dialect),
    hooks,
    groups: found.groups,
    events: found.events,
    permissions: rules.map(({ rule }) => rule),
    references: found.references.map(({ path, at }) => ({ path, place: place(at) })),
    ...commandSettings(parsed.root, place),
    settings: readSettings(parsed.root),
    diagnostics: [
      ...[...parsed.problems, ...found.problems].map(problem => diagnosticOf(problem, place)),
      ...looseDiagnostics(parsed, dialect, place),
      ...checkOwnFile(parsed.root, found, setting),
      ...hooks.flatMap((hook, index) => lintOf(hook, found.hooks[index], setting)),
      ...rules.flatMap(({ diagnostics }) => diagnostics),
    ],
  }
  return dialect.id === 'genesis' ? loadGenesis(parsed, loaded, options.path) : loaded
}

function lintOf(
  hook: LoadedConfig['hooks'][number],
  found: ReturnType<typeof walkHooks>['hooks'][number] | undefined,
  setting: HookSetting,
) {
  if (found === undefined || setting.dialect.id === 'genesis') return []
  return [...lintHook(hook, found, setting), ...checkOwnHook(hook, found, setting)]
}

function placer(parsed: ParsedText, path = ''): (at: number) => Place {
  const locate = indexLines(parsed.text)
  return at => ({ file: path, ...locate(at) })
}

/** Files of a plugin and of a skill have a scope of their own; everything else in a host's files is session. */
function scopeOf(dialect: Dialect, parsed: ParsedText, path: string | undefined): Scope {
  if (dialect.id === 'genesis') return 'policy'
  if (parsed.format === 'frontmatter') return 'skill'
  const isPlugin = /(^|\/)(\.[a-z]+-plugin\/plugin\.json|hooks\/hooks\.json)$/.test((path ?? '').replaceAll('\\', '/'))
  return isPlugin || /\$\{(CLAUDE|DROID|CODEX)?_?PLUGIN_ROOT\}/.test(parsed.text) ? 'plugin' : 'session'
}

function fileWhy(parsed: ParsedText, dialect: Dialect, place: (at: number) => Place): string | null {
  if (isSkipped(parsed, dialect))
    return `${dialect.name} reads strict JSON and skips the whole file (line ${place(parsed.looseAt ?? 0).line})`
  // In our own files the switch is for the hooks of every source, and the guard turns it.
  const isOff = !isOwnDialect(dialect) && readSettings(parsed.root).disableAllHooks
  return isOff ? '"disableAllHooks" is true in this file' : null
}

function isSkipped(parsed: ParsedText, dialect: Dialect): boolean {
  return parsed.parse === 'tolerant' && dialect.json === 'strict'
}

function looseDiagnostics(parsed: ParsedText, dialect: Dialect, place: (at: number) => Place): Diagnostic[] {
  if (!isSkipped(parsed, dialect)) return []
  const message = `a comment or a trailing comma: ${dialect.name} reads strict JSON and skips the whole file`
  return [{ severity: 'error', message, place: place(parsed.looseAt ?? 0), remedy: 'remove it' }]
}

function diagnosticOf({ severity, at, message, remedy }: TextProblem, place: (at: number) => Place): Diagnostic {
  return { severity, message, place: place(at), ...(remedy === undefined ? {} : { remedy }) }
}

function readSettings(root: ConfigNode | null): LoadedConfig['settings'] {
  const read = (camel: string, snake: string) => flagField(root ?? undefined, camel) ?? flagField(root ?? undefined, snake) ?? false
  return {
    disableAllHooks: read('disableAllHooks', 'disable_all_hooks'),
    allowManagedHooksOnly: read('allowManagedHooksOnly', 'allow_managed_hooks_only'),
  }
}

function commandSettings(root: ConfigNode | null, place: (at: number) => Place): Pick<LoadedConfig, 'statusLine' | 'fileSuggestion'> {
  const read = (key: string): CommandSetting | undefined => {
    const node = field(root ?? undefined, key)
    const command = textField(objectField(root ?? undefined, key), 'command') ?? textField(root ?? undefined, key)
    return node === undefined || command === undefined ? undefined : { command, place: place(node.at) }
  }
  const statusLine = read('statusLine')
  const fileSuggestion = read('fileSuggestion')
  return { ...(statusLine === undefined ? {} : { statusLine }), ...(fileSuggestion === undefined ? {} : { fileSuggestion }) }
}
