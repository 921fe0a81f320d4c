// What the input of a tool that nobody described may be: commands, code, paths, addresses. Names of fields and of the tool say what
// is likely; a guess can only make a decision stricter. Every string counts, however deep it lies, and in JSON that is written as text.
import { isObject } from '../../value/is-object.ts'
import { quoteWords } from './command-text.ts'
import { isRemark, type NameKind, nameKind, nameWords, speaksAbout } from './field-name.ts'
import { isMentuVerb } from './mentu-verb.ts'
import type { ToolField, ToolFields } from './tool-fields.ts'

type Input = Readonly<Record<string, unknown>>

/** What lies beyond these nobody has looked at, which the call is asked about for. */
const MAX_FIELDS = 1000
const MAX_VALUES = 20_000
const MAX_DEPTH = 64
const MAX_PATH_LENGTH = 4096

const READING = words('read get list search view find stat grep show cat head tail inspect describe')
const WRITING = words('write edit create save update delete remove move append patch put rename copy insert replace make set')
const RUNNING = words(
  'shell bash zsh sh terminal exec execute run command cmd process console powershell ssh tmux subprocess spawn launch repl',
)

export function guessFields(tool: string, input: Input): ToolFields {
  if (isMentuVerb(tool)) return { fields: onlyText(input, []), problems: [] }
  const guess: Guess = {
    accesses: accessesOf(tool),
    runs: nameWords(tool).some(word => RUNNING.has(word)),
    fields: [],
    seen: 0,
    isCut: false,
  }
  visit(guess, input, 0)
  const directory = guess.directory === undefined ? {} : { directory: guess.directory }
  const problems = guess.isCut ? ['the call holds more than can be read'] : []
  return { fields: [...guess.fields, ...onlyText(input, guess.fields)], problems, ...directory }
}

interface Guess {
  readonly accesses: readonly ('read' | 'write')[]
  /** The tool's name says that it runs something: any text may be a command. */
  readonly runs: boolean
  readonly fields: ToolField[]
  directory?: string
  /** How many values were looked at. */
  seen: number
  /** There is more than was looked at. */
  isCut: boolean
}

function visit(guess: Guess, input: Input, depth: number): void {
  for (const [name, value] of Object.entries(input)) addField(guess, name, value, depth)
  addWithArguments(guess, input)
}

function addField(guess: Guess, name: string, value: unknown, depth: number): void {
  guess.seen += 1
  if (guess.seen > MAX_VALUES || guess.fields.length >= MAX_FIELDS || depth > MAX_DEPTH) guess.isCut = true
  else if (typeof value === 'string') addText(guess, name, value, depth)
  else if (Array.isArray(value)) addList(guess, name, value, depth)
  else if (value instanceof Map) visit(guess, Object.fromEntries(value), depth + 1)
  else if (value instanceof Set) addList(guess, name, [...value], depth)
  else if (isObject(value)) visit(guess, value, depth + 1)
}

/** A list is a list of commands or the words of one. */
function addList(guess: Guess, name: string, list: readonly unknown[], depth: number): void {
  if (nameKind(name) === 'command' && list.length > 1 && list.every(isText)) addCommand(guess, name, quoteWords(list))
  for (const one of list) {
    if (guess.isCut) return
    addField(guess, name, one, depth + 1)
  }
}

function addText(guess: Guess, name: string, text: string, depth: number): void {
  const kind: NameKind = nameKind(name)
  const inside = speaksAbout(name) || isRemark(name) ? null : parseJson(text)
  if (inside !== null) addField(guess, name, inside, depth + 1)
  const { fields } = guess
  if (kind === 'directory') guess.directory ??= text
  if (kind === 'command') addCommand(guess, name, text)
  else if (kind === 'code') fields.push({ kind: 'command', name, text, likely: 'code' })
  else if (kind === 'typed' || (guess.runs && kind === null && !isRemark(name)))
    fields.push({ kind: 'command', name, text, likely: 'typed' })
  if (kind === 'url' && !text.startsWith('file:')) fields.push({ kind: 'url', name, text })
  const path = kind === 'path' || kind === 'url' || kind === 'directory' ? asPath(text, kind) : null
  if (path !== null) fields.push(...guess.accesses.map(access => ({ kind: 'path', name, text: path, access }) as const))
}

function addCommand({ fields }: Guess, name: string, text: string): void {
  fields.push({ kind: 'command', name, text })
}

/** Arguments are sent as JSON in a text as well; null: it is none. */
function parseJson(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** `{command: "rm", args: ["-rf", "x"]}`. */
function addWithArguments(guess: Guess, input: Input): void {
  const given = Object.entries(input).find(([name]) => ARGUMENTS.has(nameWords(name).join('')))?.[1]
  const values = typeof given === 'string' ? (parseJson(given) ?? given) : given
  const text = typeof values === 'string' ? values : Array.isArray(values) && values.every(isText) ? quoteWords(values, 1) : null
  if (text === null || text === '') return
  for (const [name, value] of Object.entries(input)) {
    if (typeof value === 'string' && (nameKind(name) === 'command' || PROGRAMS.has(name))) addCommand(guess, name, `${value} ${text}`)
  }
}

const ARGUMENTS = words('args arguments argv arg params parameters')
const PROGRAMS = words('program executable binary file')

function accessesOf(tool: string): readonly ('read' | 'write')[] {
  const parts = nameWords(tool)
  if (parts.some(part => WRITING.has(part))) return ['write']
  return parts.some(part => READING.has(part)) ? ['read'] : ['read', 'write']
}

function asPath(text: string, kind: NameKind): string | null {
  if (text === '' || text.length > MAX_PATH_LENGTH || /[\n\0]/.test(text)) return null
  if (text.startsWith('file://')) return decodePath(text.slice('file://'.length).replace(/^localhost(?=\/)/, ''))
  return kind === 'url' || /^[a-z][a-z0-9+.-]+:\/\//i.test(text) ? null : text
}

function decodePath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Rules about the tool itself (`mcp__x__say(hello*)`) are compared with its only text. */
function onlyText(input: Input, fields: readonly ToolField[]): readonly ToolField[] {
  if (fields.some(field => field.kind !== 'command' || field.likely === undefined)) return []
  const texts = Object.entries(input).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return texts.length === 1 ? texts.map(([name, text]) => ({ kind: 'text', name, text }) as const) : []
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}
