// Finds every hook in a tree, whatever shape it is written in. Counts describe the text: which of these hooks an agent would run is decided
// later, by dialect. The shapes are those met in real files; what fits none is passed over with a problem.
import {
  type ConfigEntry,
  type ConfigNode,
  field,
  itemsOf,
  type ObjectNode,
  objectField,
  type TextProblem,
  textField,
  textOf,
  textsOf,
} from './config-node.ts'
import { isKnownEvent } from './dialect-table.ts'

export type HookShape =
  /** `Event: [{matcher, hooks: [handler]}]`. */
  | 'nested'
  /** `Event: [handler]`, perhaps with a matcher beside the command. */
  | 'flat'
  /** `Event: ["command"]`, or a bare string where a handler belongs. */
  | 'string'
  /** `Event: "command"`. */
  | 'event-string'
  /** `Event: handler`. */
  | 'event-object'
  /** `hooks: [{event, ...}]`. */
  | 'list'
  /** Kiro's `{when, then}`. */
  | 'when-then'
  /** Codex's `notify` program. */
  | 'notify'

export interface FoundHook {
  readonly event: string
  readonly shape: HookShape
  readonly handler: ConfigNode
  /** What holds the matcher: the group, the handler itself, or nothing. */
  readonly group: ObjectNode | null
  /** Events stand at the top of the file, without a `hooks` key around them. */
  readonly unwrapped: boolean
}

export interface FoundReference {
  readonly path: string
  readonly at: number
}

export interface FoundHooks {
  readonly hooks: FoundHook[]
  readonly events: Map<string, number>
  /** Keys among the events that carry no hook. */
  readonly metadata: string[]
  readonly references: FoundReference[]
  readonly problems: TextProblem[]
  groups: number
}

export function walkHooks(root: ConfigNode | null): FoundHooks {
  const found: FoundHooks = { hooks: [], events: new Map(), metadata: [], references: [], problems: [], groups: 0 }
  if (root?.kind !== 'object') return found
  const hooks = field(root, 'hooks')
  if (hooks === undefined) walkTop(root, found)
  else if (hooks.kind === 'object') for (const entry of hooks.entries) walkEvent(entry, false, found)
  else if (hooks.kind === 'array') for (const item of hooks.items) walkListItem(item, found)
  else addReference(hooks, found)
  addNotify(root, found)
  return found
}

/** A program of Codex, not a list of groups. */
const NOTIFY = 'notify'

/** No `hooks` key: Kiro's when/then, or events at the top. */
function walkTop(root: ObjectNode, found: FoundHooks): void {
  const when = objectField(root, 'when')
  const then = objectField(root, 'then')
  if (when !== undefined && then !== undefined) {
    const event = textField(when, 'type') ?? ''
    countEvent(event, found)
    found.hooks.push({ event, shape: 'when-then', handler: then, group: when, unwrapped: false })
    return
  }
  for (const entry of root.entries) {
    if (isKnownEvent(entry.key) && entry.key !== NOTIFY && entry.value.kind === 'array') walkEvent(entry, true, found)
  }
}

const METADATA = /^([_$#]|\/\/|(enabled|disabled|description|version|comment|notifications|state)$)/

function walkEvent({ key, value }: ConfigEntry, unwrapped: boolean, found: FoundHooks): void {
  if (METADATA.test(key)) {
    found.metadata.push(key)
    return
  }
  countEvent(key, found)
  switch (value.kind) {
    case 'array':
      for (const group of value.items) walkGroup({ event: key, unwrapped }, group, found)
      return
    case 'object':
      walkGroup({ event: key, unwrapped }, value, found, 'event-object')
      return
    case 'scalar':
      if (typeof value.value !== 'string') found.metadata.push(key)
      else {
        found.groups += 1
        found.hooks.push({ event: key, shape: 'event-string', handler: value, group: null, unwrapped })
      }
  }
}

type Under = Pick<FoundHook, 'event' | 'unwrapped'>

function walkGroup(under: Under, group: ConfigNode, found: FoundHooks, flatShape: HookShape = 'flat'): void {
  if (group.kind === 'object') {
    found.groups += 1
    const inner = field(group, 'hooks')
    if (inner?.kind === 'array') for (const handler of inner.items) addInner(under, handler, group, found)
    else if (inner?.kind === 'object') addInner(under, inner, group, found)
    else found.hooks.push({ ...under, shape: flatShape, handler: group, group })
    return
  }
  if (textOf(group) === undefined) found.problems.push(noHandler(under.event, group))
  else found.hooks.push({ ...under, shape: 'string', handler: group, group: null })
}

function addInner(under: Under, handler: ConfigNode, group: ObjectNode, found: FoundHooks): void {
  if (handler.kind === 'object') found.hooks.push({ ...under, shape: 'nested', handler, group })
  else if (textOf(handler) === undefined) found.problems.push(noHandler(under.event, handler))
  else found.hooks.push({ ...under, shape: 'string', handler, group })
}

function walkListItem(item: ConfigNode, found: FoundHooks): void {
  if (item.kind !== 'object') {
    addReference(item, found)
    return
  }
  const event = textField(item, 'event') ?? textField(item, 'trigger') ?? textField(item, 'on') ?? ''
  countEvent(event, found)
  found.hooks.push({ event, shape: 'list', handler: item, group: item, unwrapped: false })
}

function addReference(node: ConfigNode, found: FoundHooks): void {
  const path = textOf(node)
  if (path === undefined)
    found.problems.push({ severity: 'warning', at: node.at, message: '"hooks" holds neither hooks nor the path of a file with hooks' })
  else found.references.push({ path, at: node.at })
}

function addNotify(root: ObjectNode, found: FoundHooks): void {
  const notify = field(root, NOTIFY)
  if (notify === undefined || itemsOf(notify).length === 0 || textsOf(notify).length !== itemsOf(notify).length) return
  countEvent(NOTIFY, found)
  found.hooks.push({ event: NOTIFY, shape: 'notify', handler: notify, group: null, unwrapped: false })
}

function countEvent(event: string, found: FoundHooks): void {
  if (event !== '') found.events.set(event, (found.events.get(event) ?? 0) + 1)
}

function noHandler(event: string, node: ConfigNode): TextProblem {
  return { severity: 'warning', at: node.at, message: `an entry of ${event} is not a hook: an object with a command is expected` }
}
