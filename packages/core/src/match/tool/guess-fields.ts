// What the input of a tool that nobody described may be: commands, code, paths, addresses. Names of fields and of the tool say what
// is likely; a guess can only make a decision stricter. Every string counts, however deep it lies, and in JSON that is written as text.
import { isObject } from '../../value/is-object.ts'
import { quoteWords } from './command-text.ts'
import { isRemark, type NameKind, nameKind, nameWords, speaksAbout } from './field-name.ts'
import { likelyPath, likelyUrl, readStructure, wordsOfList } from './likely-value.ts'
import { isMentuVerb } from './mentu-verb.ts'
import { patchTargets } from './patch-paths.ts'
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
    tool,
    accesses: accessesOf(tool),
    runs: nameWords(tool).some(word => RUNNING.has(word)) || Object.keys(input).some(namesTerminal),
    fields: [],
    likely: [],
    seen: 0,
    isCut: false,
  }
  visit(guess, { input, depth: 0, under: '' })
  const directory = guess.directory === undefined ? {} : { directory: guess.directory }
  const problems = guess.isCut ? ['the call holds more than can be read'] : []
  return { fields: [...guess.fields, ...guess.likely, ...onlyText(input, guess.fields)], problems, ...directory }
}

interface Guess {
  readonly tool: string
  readonly accesses: readonly ('read' | 'write')[]
  /** The tool's name, or another field, says that it runs something: any text may be a command. */
  readonly runs: boolean
  readonly fields: ToolField[]
  /** What only looks like a path or an address. */
  readonly likely: ToolField[]
  directory?: string
  /** How many values were looked at. */
  seen: number
  /** There is more than was looked at. */
  isCut: boolean
}

interface Level {
  readonly input: Input
  readonly depth: number
  /** The name of the field that holds it; empty: none does. */
  readonly under: string
}

function visit(guess: Guess, level: Level): void {
  const { input, depth, under } = level
  const kind = nameKind(under)
  for (const [name, value] of Object.entries(input)) {
    addField(guess, isValueOf(kind, name) ? under : name, value, depth)
    // `files: {".env": "x"}`
    if (kind !== null && /[\s./\\~]/.test(name)) addText(guess, under, name, depth)
  }
  addPair(guess, input, depth)
  addWithArguments(guess, input)
  addJoined(guess, input)
}

/** `command: {value: "ls"}`, `file: {name: "x"}`: it is what the name above says. */
function isValueOf(kind: NameKind, name: string): boolean {
  const whole = nameWords(name).join('')
  if (kind === 'path' || kind === 'directory' || kind === 'url') return whole === 'name' || whole === 'value'
  return kind !== null && VALUES.has(whole)
}

const VALUES = words('value values text content raw string data')
const LABELS = words('name key field param parameter argument option')

/** `{name: "command", value: "ls"}`. */
function addPair(guess: Guess, input: Input, depth: number): void {
  const label = Object.entries(input).find(
    ([name, value]) => LABELS.has(name) && typeof value === 'string' && /^[\w-]{1,40}$/.test(value),
  )?.[1]
  if (typeof label !== 'string' || nameKind(label) === null) return
  for (const [name, value] of Object.entries(input)) if (VALUES.has(name)) addField(guess, label, value, depth)
}

function addField(guess: Guess, name: string, value: unknown, depth: number): void {
  guess.seen += 1
  if (guess.seen > MAX_VALUES || guess.fields.length >= MAX_FIELDS || depth > MAX_DEPTH) guess.isCut = true
  else if (typeof value === 'string') addText(guess, name, value, depth)
  else if (Array.isArray(value)) addList(guess, name, value, depth)
  else if (value instanceof Map) visit(guess, { input: Object.fromEntries(value), depth: depth + 1, under: name })
  else if (value instanceof Set) addList(guess, name, [...value], depth)
  else if (isObject(value)) visit(guess, { input: value, depth: depth + 1, under: name })
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
  const isSaid = speaksAbout(name) || isRemark(name)
  const inside = isSaid ? null : readStructure(text)
  if (inside?.kind === 'value') addField(guess, name, inside.value, depth + 1)
  if (inside?.kind === 'quoted') for (const each of inside.texts) addLoose(guess, name, each)
  const { fields } = guess
  if (kind === 'directory') guess.directory ??= text
  if (kind === 'command') addCommand(guess, name, text)
  else if (kind === 'code') fields.push({ kind: 'command', name, text, likely: 'code' })
  else if (kind === 'typed' || (guess.runs && kind === null && !isRemark(name)))
    fields.push({ kind: 'command', name, text, likely: 'typed' })
  if (kind === 'url' && !text.startsWith('file:')) fields.push({ kind: 'url', name, text })
  const path = kind === 'path' || kind === 'url' || kind === 'directory' ? asPath(text, kind) : null
  if (path !== null) fields.push(...guess.accesses.map(access => ({ kind: 'path', name, text: path, access }) as const))
  if (!isSaid && !isQuestion(name)) addLikely(guess, name, text)
}

/** Whatever the field is called: a file or a place in the net by the look of its text, alone or in a list. */
function addLikely(guess: Guess, name: string, text: string): void {
  const kind = nameKind(name)
  const url = kind === 'url' ? null : likelyUrl(text, namesHost(name))
  if (url !== null) guess.likely.push({ kind: 'url', name, text: url, likely: true })
  const touched = kind === null || kind === 'typed' ? [likelyPath(text)] : kind === 'path' ? wordsOfList(text) : []
  for (const path of [...touched, ...patchTargetsIn(text)]) if (path !== null) addPath(guess, name, path)
}

function addPath(guess: Guess, name: string, text: string): void {
  if (guess.likely.length >= MAX_FIELDS) return
  guess.likely.push(...guess.accesses.map(access => ({ kind: 'path', name, text, access, likely: true }) as const))
}

/** Nobody knows what it is read as. */
function addLoose(guess: Guess, name: string, text: string): void {
  if (guess.likely.length >= MAX_FIELDS) return
  guess.likely.push({ kind: 'command', name, text, likely: 'typed' })
  addLikely(guess, name, text)
}

function addCommand({ fields }: Guess, name: string, text: string): void {
  fields.push({ kind: 'command', name, text })
}

function patchTargetsIn(text: string): readonly string[] {
  return /^(?:\*\*\* |\+\+\+ |diff --git )/m.test(text) ? patchTargets(text) : []
}

/** `{command: "rm", args: ["-rf", "x"]}`. */
function addWithArguments(guess: Guess, input: Input): void {
  const given = Object.entries(input).filter(([name]) => ARGUMENTS.has(nameWords(name).join('')))
  const text = given.flatMap(([, value]) => argumentText(value) ?? []).join(' ')
  if (text === '') return
  const programs = Object.entries(input).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '')
  const isRun = ([name]: readonly [string, string]): boolean => nameKind(name) === 'command' || PROGRAMS.has(name)
  for (const [name, program] of programs.filter(isRun)) addCommand(guess, name, `${program} ${text}`)
  if (programs.some(isRun)) return
  const callable = programs.filter(([name]) => STARTED.has(name)).map(([, program]) => `${quoteWords([program])} ${text}`)
  const own = guess.tool.split('__').at(-1) ?? ''
  for (const line of [text, `${quoteWords([own])} ${text}`, ...callable])
    guess.likely.push({ kind: 'command', name: 'args', text: line, likely: 'code' })
}

/** As words of a command; null: they are something else. */
function argumentText(value: unknown): string | null {
  const inside = typeof value === 'string' ? readStructure(value) : null
  const values = inside?.kind === 'value' ? inside.value : value
  if (typeof values === 'string') return values === '' || inside !== null ? null : values
  return Array.isArray(values) && values.length > 0 && values.every(isText) ? quoteWords(values, 1) : null
}

const ARGUMENTS = words('args arguments argv arg params parameters options opts flags operands extraargs additionalargs')
const PROGRAMS = words('program executable binary file')
/** May be what is started, where arguments stand beside it. */
const STARTED = words('bin path app interpreter runtime tool name')

/** `{directory: "conf", name: "x"}`. */
function addJoined(guess: Guess, input: Input): void {
  const texts = Object.entries(input).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const folders = texts.filter(([name]) => nameWords(name).some(word => FOLDERS.has(word)))
  for (const [folder, base] of folders)
    for (const [name, text] of texts)
      if (name !== folder && !speaksAbout(name) && likelyPath(text) !== null && !/^[/~]/.test(text))
        addPath(guess, name, `${base.replace(/\/+$/, '')}/${text}`)
}

const FOLDERS = words('dir directory folder base root path parent')

/** What is looked for is no file and no place. */
function isQuestion(name: string): boolean {
  return nameWords(name).some(word => word === 'query' || word === 'sql' || word === 'q')
}

function namesHost(name: string): boolean {
  return nameKind(name) === 'url' || nameWords(name).some(word => HOSTS.has(word))
}

const HOSTS = words('host hosts hostname domain domains server endpoint origin address remote site')

/** `terminal_id`: what stands beside it may be typed there. */
function namesTerminal(name: string): boolean {
  return speaksAbout(name) && nameWords(name).some(word => TERMINALS.has(word))
}

const TERMINALS = words('terminal tty pty pane tmux shell console')

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
