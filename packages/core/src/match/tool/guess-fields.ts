// What the input of a tool that nobody described may be: commands, code, paths, addresses. Names of fields and of the tool say what
// is likely; a guess can only make a decision stricter. Every string counts, however deep it lies, and in JSON that is written as text.
import { isObject } from '../../value/is-object.ts'
import { carriedLines } from './carried-line.ts'
import { quoteWords } from './command-text.ts'
import { isDoing, isRemark, isRun, isSpoken, type NameKind, nameKind, nameWords, speaksAbout } from './field-name.ts'
import {
  addressesIn,
  isFileAddress,
  likelyPath,
  likelyUrl,
  listOf,
  pathOfAddress,
  pathsOfResource,
  readStructure,
  wordsOfList,
} from './likely-value.ts'
import { isMentuVerb } from './mentu-verb.ts'
import { patchTargets } from './patch-paths.ts'
import { NO_WORD, spreadCommands } from './spread-command.ts'
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
    looks: 0,
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
  /** How many texts of any name were taken for commands. */
  looks: number
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
  const label = labelOf(input)
  for (const [name, value] of Object.entries(input)) {
    addField(guess, isValueOf(kind, name) ? under : label !== null && VALUES.has(name) ? label : name, value, depth)
    // `files: {".env": "x"}`
    if (kind !== null && /[\s./\\~]/.test(name)) addText(guess, under, name, depth)
  }
  addSpread(guess, input)
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

/** `{name: "command", value: "ls"}`: what the value is called; null: nothing says it. */
function labelOf(input: Input): string | null {
  for (const name of LABELS) {
    const label = input[name]
    if (typeof label === 'string' && /^[\w-]{1,40}$/.test(label) && (nameKind(label) !== null || isSaid(label))) return label
  }
  return null
}

function addField(guess: Guess, name: string, value: unknown, depth: number): void {
  guess.seen += 1
  const list = listOf(value)
  if (guess.seen > MAX_VALUES || guess.fields.length >= MAX_FIELDS || depth > MAX_DEPTH) guess.isCut = true
  else if (typeof value === 'string') addText(guess, name, value, depth)
  else if (list !== null) addList(guess, name, list, depth)
  else if (value instanceof Map) visit(guess, { input: Object.fromEntries(value), depth: depth + 1, under: name })
  else if (value instanceof Set) addList(guess, name, [...value], depth)
  else if (isObject(value)) visit(guess, { input: value, depth: depth + 1, under: name })
}

/** A list is a list of commands or the words of one. */
function addList(guess: Guess, name: string, list: readonly unknown[], depth: number): void {
  if (list.length > 1 && list.every(isText)) addWords(guess, name, list)
  for (const one of list) {
    if (guess.isCut) return
    addField(guess, name, one, depth + 1)
  }
}

function addWords(guess: Guess, name: string, list: readonly string[]): void {
  const kind = nameKind(name)
  if (kind === 'command') addCommand(guess, name, quoteWords(list))
  else if (list.length <= MAX_WORDS && !isSaid(name) && !isSpoken(name)) addLook(guess, name, quoteWords(list))
}

const MAX_WORDS = 100

function addText(guess: Guess, name: string, text: string, depth: number): void {
  const kind: NameKind = nameKind(name)
  const isOnlySaid = isSaid(name)
  const inside = isOnlySaid ? null : readStructure(text)
  if (inside?.kind === 'value') addField(guess, name, inside.value, depth + 1)
  if (inside?.kind === 'quoted') for (const each of inside.texts) addLoose(guess, name, each)
  const { fields } = guess
  if (kind === 'directory') guess.directory ??= text
  if (kind === 'command') addCommand(guess, name, text)
  else if (kind === 'code') fields.push({ kind: 'command', name, text, likely: 'code' })
  else if (kind === 'typed' || (guess.runs && kind === null && !isRemark(name)))
    fields.push({ kind: 'command', name, text, likely: 'typed' })
  const resource = kind === 'url' && isUri(name) ? pathsOfResource(text) : null
  for (const path of resource ?? []) addPath(guess, name, path)
  if (kind === 'url' && resource === null && !isFileAddress(text)) fields.push({ kind: 'url', name, text })
  const paths = kind === 'path' || kind === 'url' || kind === 'directory' ? asPaths(text, kind) : []
  for (const path of paths) fields.push(...guess.accesses.map(access => ({ kind: 'path', name, text: path, access }) as const))
  if (!isOnlySaid && !isQuestion(name)) addLikely(guess, name, text)
  if (guess.likely.length < MAX_FIELDS) guess.likely.push(...carriedLines(name, text))
  const isJudged = isRun(kind) || kind === 'typed' || (guess.runs && kind === null)
  if (!isJudged && !isOnlySaid && !isSpoken(name)) addLook(guess, name, text)
}

/**
 * A command by its look, whatever its field is called: some words in one line, with an option, a path or a sign of the shell where the name does not say
 * that something is done (`kill switch`, `find a table` are plain words). Rules for any command say nothing of it.
 */
function addLook(guess: Guess, name: string, text: string): void {
  const line = text.trim()
  if (line.length > LONGEST_LINE || !/ /.test(line) || /[\r\n]/.test(line) || !(isDoing(name) || SHELL_SIGN.test(line))) return
  guess.looks += 1
  if (guess.looks > MAX_LOOKS) return
  guess.likely.push({ kind: 'command', name, text: line, likely: 'look', instead: NO_WORD })
}

const LONGEST_LINE = 1000
const SHELL_SIGN = /\s-{1,2}[A-Za-z0-9]|[\s"'=][~.]?\.?\/|[|&;<>$`*=]|\s\.\w|\w\.\w/
const MAX_LOOKS = 64

/** Whatever the field is called: a file or a place in the net by the look of its text, alone or in a list. */
function addLikely(guess: Guess, name: string, text: string): void {
  const kind = nameKind(name)
  const url = kind === 'url' ? null : likelyUrl(text, namesHost(name))
  if (url !== null) guess.likely.push({ kind: 'url', name, text: url, likely: true })
  const touched = kind === null || kind === 'typed' ? [likelyPath(text)] : kind === 'path' ? wordsOfList(text) : []
  for (const path of [...touched, ...patchTargetsIn(text)]) if (path !== null) addPath(guess, name, path)
  if (kind === 'code') for (const each of addressesIn(text)) guess.likely.push({ kind: 'url', name, text: each, likely: true })
  if (/[*?[{]/.test(text) && (kind === 'path' || isGlob(name)) && guess.accesses.includes('read'))
    guess.likely.push({ kind: 'pattern', name, text, base: '.' })
}

/** As MCP calls what names a resource: pages are under `url`. */
function isUri(name: string): boolean {
  return nameWords(name).some(word => word === 'uri' || word === 'uris')
}

function isGlob(name: string): boolean {
  return nameWords(name).some(word => /^(?:globs?|includes?)$/.test(word))
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

/** Those that are certain count as fields of a known name do. */
function addSpread(guess: Guess, input: Input): void {
  for (const command of spreadCommands(guess.tool, input)) {
    if (command.likely === undefined) guess.fields.push(command)
    else if (guess.likely.length < MAX_FIELDS) guess.likely.push(command)
  }
}

/** `{directory: "conf", name: "x"}`. */
function addJoined(guess: Guess, input: Input): void {
  const texts = Object.entries(input).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const folders = texts.filter(([name]) => nameWords(name).some(word => FOLDERS.has(word)))
  for (const [folder, base] of folders)
    for (const [name, text] of texts)
      if (name !== folder && !speaksAbout(name) && likelyPath(text) !== null && !/^[/~]/.test(text))
        addPath(guess, name, `${base.replace(/\/+$/, '')}/${text}`)
}

const FOLDERS = words('dir directory folder base root path parent cwd workdir')

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

/** It speaks about something, or is for people. */
function isSaid(name: string): boolean {
  return speaksAbout(name) || isRemark(name)
}

function accessesOf(tool: string): readonly ('read' | 'write')[] {
  const parts = nameWords(tool)
  if (parts.some(part => WRITING.has(part))) return ['write']
  return parts.some(part => READING.has(part)) ? ['read'] : ['read', 'write']
}

/** In each way in which tools read it: `@` before a name is often a sign of theirs, and what stands behind a zero byte is cut off. */
function asPaths(text: string, kind: NameKind): readonly string[] {
  if (isFileAddress(text)) return [pathOfAddress(text)]
  const whole = text.replace(/\0.*$/s, '').replace(/^[\r\n]+|[\r\n]+$/g, '')
  if (whole === '' || whole.length > MAX_PATH_LENGTH || whole.includes('\n')) return []
  if (kind === 'url' || /^[a-z][a-z0-9+.-]+:\/\//i.test(whole)) return []
  return whole.startsWith('@') ? [whole, whole.slice(1)] : [whole]
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
