// Belay's own hook files (hooks.toml, hooks.json) are policy: what is wrong with a hook in them is an error of the whole file, never a hook
// that silently does not run. In an agent's file the same is only said: there the agent's own rules hold.

import { parseDuration } from '../policy/genesis/duration.ts'
import { suggest } from '../policy/genesis/suggest.ts'
import type { Diagnostic } from '../verdict/place.ts'
import { type ConfigNode, field, objectField, textField, textOf, toValue } from './config-node.ts'
import { isOwnDialect } from './dialect-table.ts'
import { type HookSetting, isSwitchedOff } from './load-hook.ts'
import type { LoadedHook } from './loaded-config.ts'
import type { FoundHook, FoundHooks } from './walk-hooks.ts'

export const TIMEOUTS = ['timeout', 'timeout_sec', 'timeoutSec', 'timeout_ms', 'timeoutMs']
export const FAILS = ['open', 'closed', 'ask']

/** Errors of one hook of an own file; none: it runs, or a person switched it off. */
export function checkOwnHook(hook: LoadedHook, found: FoundHook, setting: HookSetting): readonly Diagnostic[] {
  if (!isOwnDialect(setting.dialect) || setting.fileWhy !== null) return []
  const handler = found.handler
  const inner = objectField(handler, 'webhook') ?? objectField(handler, 'shell') ?? handler
  const problems = [
    hook.state === 'inert' && !isSwitchedOff(found) ? neverRuns(hook, setting) : null,
    hook.state === 'active' && hook.definition === null ? 'Belay cannot run it: its matcher uses what is not matched in linear time' : null,
    ...TIMEOUTS.map(key => timeoutProblem(key, field(handler, key) ?? field(inner, key))),
    ...asyncProblems(handler, inner),
    methodProblem(textField(inner, 'method')),
    urlProblem(textField(inner, 'url')),
    failProblem(field(handler, 'fail')),
  ]
  return problems.flatMap(message =>
    message === null
      ? []
      : [{ severity: 'error', message, place: hook.place, remedy: 'fix it, or switch the hook off with enabled = false' }],
  )
}

function neverRuns(hook: LoadedHook, { dialect }: HookSetting): string {
  if (hook.event === '') return `a hook without an event never runs: ${eventFor(hook)}`
  const why = hook.state === 'inert' ? hook.why : ''
  const meant = suggest(hook.event, dialect.events)
  return `this ${hook.event} hook never runs: ${why}${why.includes('fires no event') && meant !== null ? `; did you mean ${meant}?` : ''}`
}

function eventFor({ extra }: LoadedHook): string {
  const slip = Object.keys(extra).find(key => suggest(key, ['event']) !== null)
  return slip === undefined ? 'write for example event = "PreToolUse"' : `did you mean event where it says ${slip}?`
}

function timeoutProblem(key: string, node: ConfigNode | undefined): string | null {
  const value = node === undefined ? undefined : toValue(node)
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value) && value > 0)) return null
  return `${key} is ${JSON.stringify(value)}, expected a number above 0`
}

/** A switch that says nothing, or a time for what is waited for anyway, is a slip. */
function asyncProblems(handler: ConfigNode, inner: ConfigNode): readonly (string | null)[] {
  const given = (key: string): unknown => {
    const node = field(handler, key) ?? field(inner, key)
    return node === undefined ? undefined : toValue(node)
  }
  const mode = given('async_mode')
  const limit = given('async_timeout')
  const isWaitedFor = mode !== true && given('async') !== true
  return [
    mode === undefined || typeof mode === 'boolean' ? null : `async_mode is ${JSON.stringify(mode)}, expected true or false`,
    limit === undefined || parseDuration(limit) !== null
      ? null
      : `async_timeout is ${JSON.stringify(limit)}, expected seconds or a text such as "15s"`,
    limit === undefined || !isWaitedFor ? null : 'async_timeout means nothing without async_mode = true',
  ]
}

function methodProblem(method: string | undefined): string | null {
  return method === undefined || /^(?:post|put)$/i.test(method) ? null : `method is "${method}", expected POST or PUT`
}

function urlProblem(url: string | undefined): string | null {
  if (url === undefined) return null
  const protocol = URL.canParse(url) ? new URL(url).protocol : null
  return protocol === 'http:' || protocol === 'https:' ? null : `url is "${url}", expected an address that begins with https:// or http://`
}

function failProblem(node: ConfigNode | undefined): string | null {
  const fail = node === undefined ? undefined : (textOf(node) ?? JSON.stringify(toValue(node)))
  return fail === undefined || FAILS.includes(fail) ? null : `fail is "${fail}", expected ${FAILS.join(', ')}`
}

export const TOP = [
  'hooks',
  'disable_all_hooks',
  'allow_managed_hooks_only',
  'disableAllHooks',
  'allowManagedHooksOnly',
  'version',
  '$schema',
]

/** What stands around the hooks of hooks.toml: a misspelt table would leave its hooks out. */
export function checkOwnFile(root: ConfigNode | null, found: FoundHooks, { dialect, place }: HookSetting): readonly Diagnostic[] {
  if (!isOwnDialect(dialect)) return []
  const named = found.references.map(({ path, at }) => ({ message: `"${path}" is not a hook`, at }))
  const unread = found.problems.filter(({ severity }) => severity === 'warning').map(({ message, at }) => ({ message, at }))
  const isToml = dialect.id === 'hooks-toml' && root?.kind === 'object'
  const unknown = (isToml ? root.entries : [])
    .filter(({ key }) => !TOP.includes(key))
    .map(({ key, at }) => ({ message: `unknown key "${key}"${meantFor(key)}`, at }))
  return [...named, ...unread, ...unknown].map(({ message, at }) => ({ severity: 'error', message, place: place(at) }))
}

function meantFor(key: string): string {
  const meant = suggest(key, TOP)
  return meant === null ? `; use one of ${TOP.filter(each => /^[a-z_]+$/.test(each)).join(', ')}` : `; did you mean ${meant}?`
}
