// Puts our hooks into the text of an agent's configuration and takes them out again: `hooks.<Event>: [ours, ...theirs]`.
// Invariant: whatever is not ours keeps its bytes.
import { getNodeValue, type Node } from 'jsonc-parser'
import type { AddOptions, HookEntry } from '../agent/target.ts'
import { insertFirst, insertLast, removeChild } from './json-edit.ts'
import { memberOf, parseJsonText } from './json-text.ts'

export type Edited = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string; readonly at: number }

const BOM = '\uFEFF'

export function addHooks(text: string | null, options: AddOptions): Edited {
  const { mark, body } = split(text ?? '')
  let edited: Edited = { ok: true, text: body.trim() === '' ? '{}\n' : body }
  for (const [key, value] of Object.entries(options.beside ?? {})) edited = andThen(edited, current => setMember(current, [], key, value))
  edited = andThen(edited, current => setMember(current, [], 'hooks', {}))
  for (const entry of options.entries) edited = andThen(edited, current => addEntry(current, entry))
  for (const [key, value] of Object.entries(options.settings ?? {})) edited = andThen(edited, current => setMember(current, [], key, value))
  return edited.ok ? { ok: true, text: mark + edited.text } : edited
}

export interface Before {
  /** The file as it was before us; null: there was none, or nobody knows. */
  readonly original: string | null
  /** What we set beside the hooks: it goes with the last of them, where the original had none of it. */
  readonly beside?: Readonly<Record<string, unknown>>
}

/** Takes out every entry that `isOurs` says is; keys that become empty and were not in the original go as well. */
export function removeHooks(text: string, isOurs: (command: string) => boolean, { original, beside = {} }: Before): Edited {
  const { mark, body } = split(text)
  const parsed = parseJsonText(body)
  if (!parsed.ok) return body.trim() === '' ? { ok: true, text } : refuse(parsed.at, `it is not JSON (${parsed.why})`)
  const before = original === null ? null : parseJsonText(split(original).body)
  const had = (path: readonly string[]) => before?.ok === true && nodeAt(before.root, path) !== undefined
  let current = body
  for (let next = removeOne(current, isOurs, had); next !== null; next = removeOne(current, isOurs, had)) current = next
  for (const [key, value] of Object.entries(beside)) if (!had([key])) current = removeBeside(current, key, value)
  return { ok: true, text: mark + current }
}

/** Hooks of others may need what stands beside them. */
function removeBeside(text: string, key: string, value: unknown): string {
  const parsed = parseJsonText(text)
  if (!parsed.ok || nodeAt(parsed.root, ['hooks']) !== undefined) return text
  const member = nodeAt(parsed.root, [key])
  return member !== undefined && getNodeValue(member) === value ? removeMember(text, parsed.root, key) : text
}

/** The command that a member of the file runs; null: it runs none. */
export function findSetting(text: string, key: string): string | null {
  const parsed = parseJsonText(split(text).body)
  const member = parsed.ok && parsed.root.type === 'object' ? memberOf(parsed.root, key) : undefined
  return member === undefined ? null : (commandsIn(getNodeValue(member))[0] ?? '')
}

export interface FoundHook {
  readonly event: string
  readonly command: string
  /** The whole entry, and its place among those of the event. */
  readonly value: unknown
  readonly index: number
}

/** Our entries, by event: those that the agent reads. Where an event is written twice, the last list holds. */
export function findHooks(text: string, isOurs: (command: string) => boolean): readonly FoundHook[] {
  const parsed = parseJsonText(split(text).body)
  if (!parsed.ok) return []
  const read = eventsOf(parsed.root).filter(({ event, list }) => nodeAt(parsed.root, ['hooks', event]) === list)
  return read.flatMap(({ event, list }) =>
    (list.children ?? []).flatMap((item, index) => {
      const value: unknown = getNodeValue(item)
      const command = commandsIn(value).find(isOurs)
      return command === undefined ? [] : [{ event, command, value, index }]
    }),
  )
}

function addEntry(text: string, { event, value }: HookEntry): Edited {
  const parsed = parseJsonText(text)
  if (!parsed.ok) return refuse(parsed.at, `it is not JSON (${parsed.why})`)
  const hooks = memberOf(parsed.root, 'hooks')
  if (hooks?.type !== 'object') return refuse(hooks?.offset ?? 0, '`hooks` is not an object')
  const list = memberOf(hooks, event)
  if (list === undefined) return { ok: true, text: insertLast(text, { into: hooks, key: event, value: [value] }) }
  if (list.type !== 'array') return refuse(list.offset, `\`hooks.${event}\` is not a list`)
  return { ok: true, text: insertFirst(text, { into: list, value }) }
}

function setMember(text: string, path: readonly string[], key: string, value: unknown): Edited {
  const parsed = parseJsonText(text)
  if (!parsed.ok) return refuse(parsed.at, `it is not JSON (${parsed.why})`)
  const into = nodeAt(parsed.root, path)
  if (into?.type !== 'object') return refuse(into?.offset ?? 0, 'it is not a JSON object')
  return { ok: true, text: memberOf(into, key) === undefined ? insertLast(text, { into, key, value }) : text }
}

/** One removal at a time, because each moves what follows; null: there is nothing of ours left. */
function removeOne(text: string, isOurs: (command: string) => boolean, had: (path: readonly string[]) => boolean): string | null {
  const parsed = parseJsonText(text)
  if (!parsed.ok) return null
  for (const { event, list } of eventsOf(parsed.root)) {
    const index = (list.children ?? []).findIndex(item => commandsIn(getNodeValue(item)).some(isOurs))
    if (index < 0) continue
    const shared = handlerBesideOthers(list.children?.[index], isOurs)
    if (shared !== null) return removeChild(text, shared.handlers, shared.index)
    const hooks = memberOf(parsed.root, 'hooks')
    const isLast = list.children?.length === 1 && !had(['hooks', event])
    if (!isLast || hooks === undefined) return removeChild(text, list, index)
    const isAll = hooks.children?.length === 1 && !had(['hooks'])
    return isAll ? removeMember(text, parsed.root, 'hooks') : removeMember(text, hooks, event)
  }
  return removeSetting(text, parsed.root, isOurs)
}

function removeSetting(text: string, root: Node, isOurs: (command: string) => boolean): string | null {
  const members = root.type === 'object' ? (root.children ?? []) : []
  const index = members.findIndex(({ children }) => {
    const value = children?.[1]
    const command: unknown = value?.type === 'object' ? memberOf(value, 'command')?.value : undefined
    return typeof command === 'string' && isOurs(command)
  })
  return index < 0 ? null : removeChild(text, root, index)
}

/** Somebody put a handler of their own into our group: only ours goes. */
function handlerBesideOthers(group: Node | undefined, isOurs: (command: string) => boolean): { handlers: Node; index: number } | null {
  const handlers = group?.type === 'object' ? memberOf(group, 'hooks') : undefined
  const items = handlers?.children ?? []
  if (handlers === undefined || items.length < 2) return null
  return { handlers, index: items.findIndex(item => commandsIn(getNodeValue(item)).some(isOurs)) }
}

function removeMember(text: string, object: Node, key: string): string {
  const index = object.children?.findLastIndex(child => child.children?.[0]?.value === key) ?? -1
  return removeChild(text, object, index)
}

function eventsOf(root: Node): readonly { event: string; list: Node }[] {
  const hooks = root.type === 'object' ? memberOf(root, 'hooks') : undefined
  if (hooks?.type !== 'object') return []
  return (hooks.children ?? []).flatMap(({ children }) => {
    const [key, list] = children ?? []
    return list?.type === 'array' ? [{ event: String(key?.value), list }] : []
  })
}

/** The command of a flat entry, or of the handlers of a group. */
function commandsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const { command, bash, hooks } = value as Readonly<Record<string, unknown>>
  const own = [command, bash].filter(each => typeof each === 'string')
  return Array.isArray(hooks) ? [...own, ...hooks.flatMap(commandsIn)] : own
}

function nodeAt(root: Node, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((node, key) => (node?.type === 'object' ? memberOf(node, key) : undefined), root)
}

function split(text: string): { readonly mark: string; readonly body: string } {
  return text.startsWith(BOM) ? { mark: BOM, body: text.slice(1) } : { mark: '', body: text }
}

function andThen(edited: Edited, next: (text: string) => Edited): Edited {
  return edited.ok ? next(edited.text) : edited
}

function refuse(at: number, why: string): Edited {
  return { ok: false, at, why }
}
