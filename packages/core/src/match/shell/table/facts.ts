// What is known of a program's sub-commands and options from the program itself: names, aliases, which options take a value.
// The texts are generated (scripts/program-facts.mjs) and read on first use. Where they are silent, nothing is certain.
// `path|aliases|options` for each sub-command, `;` between; `--name=` takes a value, `--name?` only a glued one.
import { aliasTable } from './alias-table.ts'
import { programFacts } from './program-facts.ts'

/** Whether the word after an option is its value. */
export type Arity = 'flag' | 'value' | 'glued'

interface OptionFact {
  readonly names: readonly string[]
  /** undefined: the source does not say. */
  readonly arity: Arity | undefined
}

/** A program or one of its sub-commands. */
export class Command {
  readonly parent: Command | null
  /** Names of the sub-commands that lead here, as the program itself calls them. */
  path: readonly string[]
  readonly children = new Map<string, Command>()
  /** Said by the program itself, not by people who described it. */
  readonly isSure: boolean
  optionText = ''
  #options: ReadonlyMap<string, OptionFact> | null = null

  constructor(parent: Command | null, path: readonly string[], isSure: boolean) {
    this.parent = parent
    this.path = path
    this.isSure = isSure
  }

  /** Options of a program hold for its sub-commands too. */
  option(name: string): OptionFact | undefined {
    this.#options ??= readOptionFacts(this.optionText)
    return this.#options.get(name) ?? this.parent?.option(name)
  }

  /** The sub-command of this name, alias or, where the program takes those, unique beginning. */
  child(name: string): Command | undefined {
    return this.children.get(name) ?? (this.parent === null && this.cutsShort ? findByBeginning(this, name) : undefined)
  }

  /** npm takes `installTest` for `install-test`, and any beginning that only one command has. */
  cutsShort = false
}

const known = new Map<string, Command | undefined>()
/** A word of a command is found sooner in a map than among the names of an object. */
let rows: ReadonlyMap<string, string> | null = null
let aliases: ReadonlyMap<string, string> | null = null
/** The last program of which there are no facts. */
let unknown: string | null = null

export function factsOf(program: string): Command | undefined {
  // Of one command it is asked again and again.
  if (program === unknown) return undefined
  const found = known.get(program)
  if (found !== undefined) return found
  rows ??= new Map(Object.entries(programFacts))
  aliases ??= new Map(Object.entries(aliasTable))
  const text = rows.get(program)
  const others = aliases.get(program)
  if (text === undefined && others === undefined) {
    unknown = program
    return undefined
  }
  const root = addAliases(others, text === undefined ? undefined : readFacts(text))
  known.set(program, root)
  return root
}

/** Names that the facts do not have; a program of which there are no facts gets some. */
function addAliases(text: string | undefined, facts: Command | undefined): Command | undefined {
  if (text === undefined) return facts
  const root = facts ?? new Command(null, [], false)
  for (const row of text.split(';')) {
    const [path = '', aliases = ''] = row.split('=')
    const names = path.split(' ')
    const command = commandAt(root, names)
    for (const alias of aliases === '' ? [] : aliases.split(',')) {
      const other = alias.startsWith('/') ? alias.slice(1).split(' ') : [...names.slice(0, -1), alias]
      commandAt(root, other.slice(0, -1)).children.set(other.at(-1) ?? '', command)
    }
  }
  return root
}

function commandAt(root: Command, names: readonly string[]): Command {
  let node = root
  for (const name of names) {
    const child = node.children.get(name) ?? new Command(node, [...node.path, name], root.isSure)
    node.children.set(name, child)
    node = child
  }
  return node
}

/** `~`: described by other people; `^`: beginnings of names count. */
function readFacts(text: string): Command {
  const marks = /^[~^]*/.exec(text)?.[0] ?? ''
  const root = new Command(null, [], !marks.includes('~'))
  root.cutsShort = marks.includes('^')
  for (const record of text.slice(marks.length).split(';')) addCommand(root, record)
  return root
}

function addCommand(root: Command, record: string): void {
  const [path = '', aliases = '', options = ''] = record.split('|')
  let node = root
  const names = path === '' ? [] : path.split(' ')
  for (const [depth, name] of names.entries()) {
    const child = node.children.get(name) ?? new Command(node, [...node.path, name], root.isSure)
    node.children.set(name, child)
    if (depth === names.length - 1) nameAliases(node, child, aliases)
    node = child
  }
  node.optionText = options
}

/** `=other path` is a sub-command elsewhere that does the same. */
function nameAliases(parent: Command, child: Command, aliases: string): void {
  for (const alias of aliases === '' ? [] : aliases.split(',')) {
    if (alias.startsWith('=')) child.path = alias.slice(1).split(' ')
    else if (!parent.children.has(alias)) parent.children.set(alias, child)
  }
}

function findByBeginning(root: Command, given: string): Command | undefined {
  const name = given.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  const exact = root.children.get(name)
  if (exact !== undefined) return exact
  const found = new Set(beginning(root, name))
  return found.size === 1 ? [...found][0] : undefined
}

/** Sub-commands whose name or alias begins so. */
export function beginning({ children }: Command, start: string): readonly Command[] {
  const found: Command[] = []
  if (start.length > LONGEST_NAME) return found
  const parts = start.includes(':') ? start.split(':') : null
  for (const [name, child] of children) if (parts === null ? name.startsWith(start) : beginsSo(name, parts)) found.push(child)
  return found
}

/** No sub-command has a longer one. */
const LONGEST_NAME = 128

/** `mig:fr` is the beginning of `migrate:fresh`, part by part. */
function beginsSo(name: string, start: readonly string[]): boolean {
  if (!name.includes(':')) return false
  const parts = name.split(':')
  return start.every((part, at) => part !== '' && parts[at]?.startsWith(part) === true)
}

const ARITIES: Readonly<Record<string, Arity>> = { '=': 'value', '?': 'glued' }

function readOptionFacts(text: string): ReadonlyMap<string, OptionFact> {
  const options = new Map<string, OptionFact>()
  for (const entry of text === '' ? [] : text.split(' ')) {
    const mark = entry.at(-1) ?? ''
    const names = (/[=?~]/.test(mark) ? entry.slice(0, -1) : entry).split(',')
    const option: OptionFact = { names, arity: mark === '~' ? undefined : (ARITIES[mark] ?? 'flag') }
    for (const name of names) options.set(name, option)
  }
  return options
}
