// One found hook -> what its agent does with it: run it (with the definition Belay would register) or pass it over, and why.
// Damage stays here: nothing wrong with one hook touches another.

import { gateOf } from '../event/table.ts'
import type { HookDefinition, Scope } from '../hook/hook-definition.ts'
import { parseDuration } from '../policy/genesis/duration.ts'
import type { Place } from '../verdict/place.ts'
import { buildHandler, describeHandler } from './build-handler.ts'
import { type ConfigNode, field, flagField, numberField, objectField, textField, textOf, textsOf, toValue } from './config-node.ts'
import type { Dialect } from './dialect.ts'
import { canonicalName, firesEvent, hasMatcher, isToolEvent } from './dialect-table.ts'
import type { JudgeMatcher } from './judge-matcher.ts'
import type { LoadedHook } from './loaded-config.ts'
import type { FoundHook } from './walk-hooks.ts'

export interface HookSetting {
  readonly dialect: Dialect
  readonly scope: Scope
  /** Why no hook of this file runs. */
  readonly fileWhy: string | null
  readonly place: (at: number) => Place
  readonly judge: JudgeMatcher
}

export function loadHook(found: FoundHook, setting: HookSetting): LoadedHook {
  const { dialect, scope } = setting
  const built = buildHandler(found, dialect)
  const matcher = matcherOf(found)
  const judgement = setting.judge(matcher, found.event)
  const name = textField(found.handler, 'name') ?? textField(found.group ?? undefined, 'name')
  const entry = {
    event: found.event,
    canonicalEvent: canonicalName(dialect, found.event),
    shape: found.shape,
    type: built.type,
    text: describeHandler(found.handler),
    matcher: matcher === undefined ? null : (textOf(matcher) ?? JSON.stringify(toValue(matcher))),
    ...(name === undefined ? {} : { name }),
    ...(flagField(found.handler, 'asyncRewake') === true ? { wakes: true as const } : {}),
    scope,
    place: setting.place(found.handler.at),
    extra: { ...extraKeys(found.group), ...extraKeys(found.handler) },
  }
  const why = setting.fileWhy ?? shapeWhy(found, dialect) ?? (built.ok ? stateWhy(found, dialect) : built.why) ?? judgement.never
  if (why !== null || !built.ok) return { ...entry, state: 'inert', why: why ?? 'it cannot be read' }
  const base = { event: entry.canonicalEvent, scope, place: entry.place, ...(name === undefined ? {} : { name }) }
  const definition =
    built.handler === null || judgement.unsupported !== null
      ? null
      : { ...base, handler: built.handler, ...hookOptions(found, setting, matcher) }
  return { ...entry, state: 'active', definition }
}

const SHAPES: Readonly<Record<FoundHook['shape'], string>> = {
  nested: 'a group with an inner "hooks" list',
  flat: 'a handler directly in the list of the event',
  string: 'a bare string',
  'event-string': 'a string in place of the list',
  'event-object': 'one object in place of the list',
  list: '"hooks" as a list',
  'when-then': 'when/then',
  notify: 'a notify program',
}

function shapeWhy(found: FoundHook, dialect: Dialect): string | null {
  if (dialect.records?.includes(found.event)) return `"${found.event}" is a record that ${dialect.name} keeps, no event`
  if (dialect.shapes.length === 0) return `${dialect.name} takes no hooks from its configuration`
  if (!dialect.shapes.includes(found.shape)) return `${SHAPES[found.shape]} is not a shape that ${dialect.name} runs`
  if (found.unwrapped && !dialect.unwrapped) return `${dialect.name} expects the events under a "hooks" key`
  return null
}

function stateWhy(found: FoundHook, dialect: Dialect): string | null {
  if (!firesEvent(dialect, found.event)) return `${dialect.name} fires no event named "${found.event}"`
  if (isSwitchedOff(found)) return 'it is switched off ("enabled": false)'
  const hasCondition = dialect.id === 'claude' && textField(found.handler, 'if') !== undefined
  return hasCondition && !isToolEvent(canonicalName(dialect, found.event))
    ? `"if" is about tool calls: on ${found.event} it never holds`
    : null
}

export function isSwitchedOff({ handler, group }: FoundHook): boolean {
  return flagField(handler, 'enabled') === false || flagField(group ?? undefined, 'enabled') === false
}

/** `matcher` beside the hooks, `tool_matcher` in hooks.toml, `tools` in Kiro's when. */
export function matcherOf({ group, handler }: FoundHook): ConfigNode | undefined {
  for (const holder of [group, handler]) {
    const found = holder === null ? undefined : (field(holder, 'matcher') ?? field(holder, 'tool_matcher'))
    if (found !== undefined) return found
  }
  const tools = textsOf(field(group ?? undefined, 'tools'))
  return tools.length > 0 && group !== null ? { kind: 'scalar', at: group.at, value: tools.join('|') } : undefined
}

function hookOptions(found: FoundHook, { dialect, scope }: HookSetting, matcher: ConfigNode | undefined): Partial<HookDefinition> {
  const { handler, group } = found
  const text = matcher === undefined ? undefined : textOf(matcher)
  const isRead = text !== undefined && dialect.matcher !== null && hasMatcher(canonicalName(dialect, found.event))
  const isAsync = isAsyncHook(handler)
  const timeoutMs = (isAsync ? asyncTimeoutOf(handler) : undefined) ?? timeoutOf(handler, dialect)
  const onlyIf = textField(handler, 'if')
  const statusMessage = textField(handler, 'statusMessage') ?? ownField(handler, 'status_message', textOf)
  const isSequence = flagField(group ?? undefined, 'sequential') === true
  return {
    ...(isRead && dialect.matcher !== null ? { matcher: { dialect: dialect.matcher, text } } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(onlyIf === undefined ? {} : { onlyIf }),
    ...(statusMessage === undefined ? {} : { statusMessage }),
    // Claude Code reads it in skills alone: in its settings such a hook runs each time.
    ...(flagField(handler, 'once') === true && (dialect.id !== 'claude' || scope === 'skill') ? { once: true } : {}),
    ...(isAsync ? { async: true } : {}),
    ...failOf(found, dialect),
    order: isSequence ? 'sequence' : 'group',
  }
}

/** hooks.toml says `async_mode`, beside the hook or in its table; the other files say `async`. */
function isAsyncHook(handler: ConfigNode): boolean {
  const isMode = ownField(handler, 'async_mode', node => (node.kind === 'scalar' ? node.value : undefined)) === true
  return isMode || flagField(handler, 'async') === true || flagField(handler, 'asyncRewake') === true
}

/** In milliseconds: a number of seconds, or a text with its unit (`700ms`). */
function asyncTimeoutOf(handler: ConfigNode): number | undefined {
  return ownField(handler, 'async_timeout', node => parseDuration(toValue(node)) ?? undefined)
}

/** A key of hooks.toml that may stand beside the hook or in its table. */
function ownField<T>(handler: ConfigNode, key: string, read: (node: ConfigNode) => T | undefined): T | undefined {
  const holders = [handler, objectField(handler, 'shell'), objectField(handler, 'webhook')]
  const node = holders.map(holder => field(holder, key)).find(found => found !== undefined)
  return node === undefined ? undefined : read(node)
}

function failOf({ handler, event }: FoundHook, dialect: Dialect): Pick<HookDefinition, 'fail'> {
  const fail = textField(handler, 'fail')
  if (fail === 'open' || fail === 'closed' || fail === 'ask') return { fail }
  const isWebhook = dialect.id === 'hooks-toml' && objectField(handler, 'webhook') !== undefined
  // A webhook of hooks.toml that does not answer rejects, as far as there is something to reject.
  const isClosed = flagField(handler, 'failClosed') === true || (isWebhook && gateOf(canonicalName(dialect, event)) === 'tool')
  return isClosed ? { fail: 'closed' } : {}
}

/** In milliseconds. A key that names its unit says it; a plain `timeout` is in the dialect's. */
function timeoutOf(handler: ConfigNode, dialect: Dialect): number | undefined {
  const seconds = numberField(handler, 'timeoutSec') ?? numberField(handler, 'timeout_sec')
  const ms = numberField(handler, 'timeoutMs') ?? numberField(handler, 'timeout_ms')
  const plain = numberField(handler, 'timeout')
  // Qwen counts its command hooks in milliseconds and the others in seconds.
  const isMs = dialect.timeUnit === 'ms' && (textField(handler, 'type') ?? 'command') === 'command'
  const found = ms ?? (seconds === undefined ? undefined : seconds * 1000) ?? (plain === undefined || isMs ? plain : plain * 1000)
  return found !== undefined && Number.isFinite(found) && found > 0 ? found : undefined
}

const READ_KEYS = new Set(
  (
    'type command args bash powershell cwd working_directory env shell url method headers allowedEnvVars prompt model server tool input timeout ' +
    'timeoutSec timeout_sec timeoutMs timeout_ms fail if once async asyncRewake async_mode async_timeout statusMessage status_message name enabled failClosed matcher tool_matcher hooks ' +
    'webhook event trigger action sequential'
  ).split(' '),
)

function extraKeys(node: ConfigNode | null): Record<string, unknown> {
  if (node?.kind !== 'object') return {}
  return Object.fromEntries(node.entries.filter(({ key }) => !READ_KEYS.has(key)).map(({ key, value }) => [key, toValue(value)]))
}
