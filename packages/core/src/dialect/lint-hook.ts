// What a person should hear about a hook: that it never runs, fires on everything, or waits longer than its author meant.

import { gateOf } from '../event/table.ts'
import { suggest } from '../policy/genesis/suggest.ts'
import type { Diagnostic } from '../verdict/place.ts'
import { type ConfigNode, numberField, textOf } from './config-node.ts'
import type { Dialect } from './dialect.ts'
import { canonicalName, firesEvent, isKnownEvent, isOwnDialect } from './dialect-table.ts'
import { type HookSetting, isSwitchedOff, matcherOf } from './load-hook.ts'
import type { LoadedHook } from './loaded-config.ts'
import type { FoundHook } from './walk-hooks.ts'

export function lintHook(hook: LoadedHook, found: FoundHook, setting: HookSetting): Diagnostic[] {
  const isRecord = setting.dialect.records?.includes(hook.event) ?? false
  if (hook.state === 'inert') {
    // In our own files that is an error, and said as one.
    const isSaid = isOwnDialect(setting.dialect) && !isSwitchedOff(found)
    return setting.fileWhy === null && !isRecord && !isSaid ? [lintInert(hook, hook.why, setting.dialect)] : []
  }
  return [
    ...lintMatcher(found, setting),
    ...lintToolNames(found, setting),
    ...lintTimeout(found.handler, setting),
    ...lintVariables(hook, setting),
    ...lintKeys(hook, setting),
  ]
}

const GUARD_WORDS = /\b(guard|block|deny|protect|prevent|forbid|secret|danger\w*|validat\w*)|exit 2\b/i

function lintInert(hook: LoadedHook, why: string, dialect: Dialect): Diagnostic {
  // Where something waits for the answer, a hook that does not run lets it through.
  const isGuard = gateOf(hook.canonicalEvent) !== null || GUARD_WORDS.test(hook.text)
  const message = isGuard
    ? `this ${hook.event} hook looks like a guard but never runs: ${why}`
    : `this ${hook.event} hook never runs: ${why}`
  const remedy = firesEvent(dialect, hook.event) ? null : eventRemedy(hook.event, dialect)
  return { severity: isGuard ? 'warning' : 'info', message, place: hook.place, ...(remedy === null ? {} : { remedy }) }
}

/** Another agent's name for an event this one has, or a slip of the pen. */
function eventRemedy(event: string, dialect: Dialect): string | null {
  const canonical = event.includes(':') ? event.slice(0, event.indexOf(':')) : event
  const same = isKnownEvent(canonical) ? dialect.events.find(name => canonicalName(dialect, name) === canonical) : undefined
  const meant = same ?? suggest(event, dialect.events)
  return meant === null ? null : `did you mean ${meant}?`
}

function lintMatcher(found: FoundHook, { judge, place }: HookSetting): Diagnostic[] {
  const matcher = matcherOf(found)
  if (matcher === undefined) return []
  const { warning, unsupported } = judge(matcher, found.event)
  const at = place(matcher.at)
  const severity = warning?.endsWith('is ignored') ? 'info' : 'warning'
  return [
    ...(warning === null ? [] : [{ severity, message: warning, place: at } as const]),
    ...(unsupported === null
      ? []
      : [{ severity: 'warning', message: `Belay cannot run this matcher: ${unsupported}`, place: at } as const]),
  ]
}

/** Claude Code's names, and Gemini CLI's for the same. */
const GEMINI_NAMES: Readonly<Record<string, string>> = {
  Bash: 'run_shell_command',
  Read: 'read_file',
  Write: 'write_file',
  Edit: 'replace',
  MultiEdit: 'replace',
  Glob: 'glob',
  Grep: 'grep_search',
  LS: 'list_directory',
  WebFetch: 'web_fetch',
  WebSearch: 'google_web_search',
}

/** A hook that was taken over from Claude Code with its matcher. */
function lintToolNames(found: FoundHook, { dialect, place }: HookSetting): Diagnostic[] {
  const matcher = dialect.id === 'gemini' && /Tool$/.test(found.event) ? matcherOf(found) : undefined
  const names = (textOf(matcher) ?? '').split('|')
  if (matcher === undefined || !names.every(name => Object.hasOwn(GEMINI_NAMES, name))) return []
  const message = `this ${found.event} hook never fires: ${dialect.name} has no tool called ${names.join(' or ')}`
  const meant = [...new Set(names.map(name => GEMINI_NAMES[name]))].join('|')
  return [{ severity: 'warning', message, place: place(matcher.at), remedy: `write ${meant}` }]
}

/** Only hooks of a plugin have it; in settings it is empty, and the path before it is not what was meant. */
function lintVariables({ text, place }: LoadedHook, { dialect }: HookSetting): Diagnostic[] {
  const isInert = dialect.id === 'claude' && /\bCLAUDE_PLUGIN_ROOT\b/.test(text) && /(?:^|\/)settings(?:\.local)?\.json$/.test(place.file)
  if (!isInert) return []
  const message = 'CLAUDE_PLUGIN_ROOT is empty here: Claude Code sets it for the hooks of plugins, not for those of settings'
  return [{ severity: 'warning', message, place, remedy: 'write the path, or $CLAUDE_PROJECT_DIR' }]
}

const MANY_SECONDS = 1000
const FEW_MILLISECONDS = 100

/** Never guessed, only said: a value keeps the meaning its agent gives it. */
function lintTimeout(handler: ConfigNode, { dialect, place }: HookSetting): Diagnostic[] {
  const value = numberField(handler, 'timeout')
  if (value === undefined) return []
  const at = place(handler.at)
  if (dialect.timeUnit === 's' && value >= MANY_SECONDS) {
    const message = `timeout ${value} is in seconds for ${dialect.name}: ${Math.round(value / 60)} minutes`
    return [{ severity: 'warning', message, place: at, remedy: `if milliseconds were meant, write ${Math.ceil(value / 1000)}` }]
  }
  if (dialect.timeUnit === 'ms' && value < FEW_MILLISECONDS) {
    const message = `timeout ${value} is in milliseconds for ${dialect.name}`
    return [{ severity: 'warning', message, place: at, remedy: `if seconds were meant, write ${value * 1000}` }]
  }
  return []
}

const TOML_KEYS = [
  'event',
  'tool_matcher',
  'timeout_sec',
  'name',
  'once',
  'sequential',
  'fail',
  'async_mode',
  'async_timeout',
  'status_message',
  'shell',
  'webhook',
]

/** Other agents' unknown keys are theirs; in our own file one is a slip. */
function lintKeys(hook: LoadedHook, { dialect }: HookSetting): Diagnostic[] {
  if (dialect.id !== 'hooks-toml') return []
  return Object.keys(hook.extra).map(key => {
    const meant = suggest(key, TOML_KEYS)
    const remedy = meant === null ? `use one of ${TOML_KEYS.join(', ')}` : `did you mean ${meant}?`
    return { severity: 'warning', message: `"${key}" means nothing in hooks.toml`, place: hook.place, remedy }
  })
}
