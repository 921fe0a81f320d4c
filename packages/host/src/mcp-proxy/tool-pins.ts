// The definitions of a server's tools as they were when they were first seen, or when a person last approved them. What a server says about a
// tool is read by the model as an instruction: it must not change unseen between two runs. One file for each server, below the home.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson } from '@belay/core/ledger'
import { errorText, isObject } from '@belay/core/value'
import { createTwoFilesPatch } from 'diff'
import { replaceFile } from '../disk/write-file.ts'
import { findHidden, INSTRUCTIONS } from './hidden-text.ts'
import type { Json } from './message.ts'

export interface ToolPins {
  readonly server: string
  /** What starts the server, or its address: another one has pins of its own. */
  readonly target: string
  readonly pinned: Readonly<Record<string, Json>>
  /** What was seen last and is not what is pinned. */
  readonly waiting: Readonly<Record<string, Json>>
  /** The first list of all has more pages than were seen. */
  readonly hasMore?: boolean
}

/** A part of a long list. */
export interface ListPage {
  /** It goes on where another one ended. */
  readonly isNext: boolean
  readonly hasMore: boolean
}

/** What a server lists beside its tools. */
export type Catalog = 'prompts' | 'resources' | 'templates'

export interface PinPlace {
  readonly home: string
  readonly server: string
  readonly target: string
}

const FOLDER = 'mcp-pins'

export function pinFile({ home, server, target }: PinPlace): string {
  return join(home, FOLDER, `${server}-${createHash('sha256').update(target).digest('hex').slice(0, 12)}.json`)
}

/** null: the server was never seen. A file that cannot be read is no pin, and throws: it is not the same as none. */
export function readPins(file: string): ToolPins | null {
  if (!existsSync(file)) return null
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!isObject(value) || !isObject(value.pinned) || !isObject(value.waiting)) throw new Error(`${file} holds no pins of tools`)
  const pins = { server: String(value.server), target: String(value.target), pinned: tools(value.pinned), waiting: tools(value.waiting) }
  return value.hasMore === true ? { ...pins, hasMore: true } : pins
}

export function listPins(home: string): readonly (ToolPins & { readonly file: string })[] {
  const folder = join(home, FOLDER)
  if (!existsSync(folder)) return []
  const files = readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .sort()
  return files.flatMap(name => {
    const file = join(folder, name)
    const pins = readPins(file)
    return pins === null ? [] : [{ ...pins, file }]
  })
}

function tools(value: Json): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, Json] => isObject(entry[1])))
}

const WHOLE: ListPage = { isNext: false, hasMore: false }

/** As `noteTools`, where the pins cannot be read or kept: then every tool that is listed has to be looked at. */
export function noteToolsSafely(place: PinPlace, listed: readonly unknown[], page: ListPage = WHOLE): ReadonlyMap<string, string> {
  try {
    return noteTools(place, listed, page)
  } catch (error) {
    const why = `what was pinned of ${place.server} cannot be read or kept (${errorText(error)}); a person can remove ${pinFile(place)}`
    return new Map(listed.flatMap(tool => (isObject(tool) && typeof tool.name === 'string' ? [[tool.name, why] as const] : [])))
  }
}

/** The same of what a server says to the model as it greets, in a file of its own; null: as it was. */
export function noteInstructionsSafely({ target, ...place }: PinPlace, said: string | null): string | null {
  const listed = said === null ? [] : [{ name: INSTRUCTIONS, said }]
  return noteToolsSafely({ ...place, target: `${target} ${INSTRUCTIONS}` }, listed).get(INSTRUCTIONS) ?? null
}

/**
 * Prompts and resources come and go, so they are not pinned; one that holds what does not belong there waits for a person. Gives why; null: there
 * is none. `listed`: null where nothing was listed here.
 */
export function noteCatalogSafely({ target, ...place }: PinPlace, catalog: Catalog, listed: readonly unknown[] | null): string | null {
  const own = { ...place, target: `${target} ${catalog}` }
  const suspicious = (listed ?? []).filter(isObject).flatMap(entry => {
    const { uri, uriTemplate, ...said } = entry
    const name = String(uri ?? uriTemplate ?? entry.name)
    return findHidden(INSTRUCTIONS, said).length === 0 ? [] : [{ ...said, name: `${catalog}:${name}` }]
  })
  const isKnown = existsSync(pinFile(own))
  if (suspicious.length === 0 && !isKnown) return null
  const [why = null] = noteToolsSafely(own, suspicious).values()
  return why
}

/** Keeps what a server lists; gives for each tool why a person has to look at it first. Tools that are as they were are not among them. */
function noteTools(place: PinPlace, listed: readonly unknown[], { isNext, hasMore }: ListPage): ReadonlyMap<string, string> {
  const file = pinFile(place)
  const known = readPins(file)
  if (known === null && listed.length === 0) return new Map()
  const isFirst = known === null || (known.hasMore === true && isNext)
  const pinned: Record<string, Json> = { ...known?.pinned }
  const waiting: Record<string, Json> = { ...known?.waiting }
  for (const tool of listed) {
    if (!isObject(tool) || typeof tool.name !== 'string') continue
    const { name, ...definition } = tool
    delete waiting[name]
    if (isFirst && pinned[name] === undefined && findHidden(name, definition).length === 0) pinned[name] = definition
    else if (!isSame(pinned[name], definition)) waiting[name] = definition
  }
  const pins = { server: place.server, target: place.target, pinned, waiting, ...(isFirst && hasMore && { hasMore }) }
  if (known === null || !isSame({ ...known }, pins)) replaceFile(file, `${JSON.stringify(pins, null, 2)}\n`, 0o600)
  return new Map(Object.keys(waiting).map(name => [name, questionOf(pins, name)]))
}

/** Names what a server says of a tool, for the record of its calls. */
export function hashDefinition(definition: Json): string {
  return `sha256:${createHash('sha256').update(canonicalJson(definition)).digest('hex')}`
}

/** Moves what waits to what is pinned, of one tool or of all; gives their names. */
export function approveTools(file: string, pins: ToolPins, only: string | null): readonly string[] {
  const names = Object.keys(pins.waiting).filter(name => only === null || name === only)
  const moved = Object.fromEntries(names.map(name => [name, pins.waiting[name] ?? {}]))
  const waiting = Object.fromEntries(Object.entries(pins.waiting).filter(([name]) => !names.includes(name)))
  if (names.length > 0) {
    const next = { server: pins.server, target: pins.target, pinned: { ...pins.pinned, ...moved }, waiting }
    replaceFile(file, `${JSON.stringify(next, null, 2)}\n`, 0o600)
  }
  return names
}

/** As it stands in the question, and in the answer to a model that nobody can answer. */
function questionOf(pins: ToolPins, name: string): string {
  const change = describeChange(pins, name)
  const shown = change.length <= MAX_SHOWN ? change : `${change.slice(0, MAX_SHOWN)} ...`
  return `${shown}\n(belay mcp diff ${pins.server} shows it, belay mcp approve ${pins.server} ${name} pins it)`
}

const MAX_SHOWN = 3000

/** What is different, or suspicious, with the difference line by line. */
export function describeChange({ pinned, waiting }: Pick<ToolPins, 'pinned' | 'waiting'>, name: string): string {
  const [before, after = {}] = [pinned[name], waiting[name]]
  const hidden = findHidden(name, after)
  const what = before === undefined ? (hidden.length > 0 ? 'was not approved' : 'is new') : 'has changed since it was pinned'
  const why = hidden.length === 0 ? '' : ` (${hidden.join('; ')})`
  return `the definition of ${name} ${what}${why}\n${diffOf(before, after)}`
}

function diffOf(before: Json | undefined, after: Json): string {
  const spell = (value: Json | undefined): string =>
    value === undefined ? '' : `${JSON.stringify(value, null, 2).replace(UNSEEN, spellUnseen)}\n`
  const patch = createTwoFilesPatch('pinned', 'now', spell(before), spell(after), undefined, undefined, { context: 1 })
  return patch.split('\n').slice(3).join('\n').trimEnd()
}

const UNSEEN = /[^\P{Cc}\n]|\p{Cf}|[\u{e0000}-\u{e007f}]/gu

function spellUnseen(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`
}

function isSame(one: unknown, other: unknown): boolean {
  return one !== undefined && canonicalJson(one) === canonicalJson(other)
}
