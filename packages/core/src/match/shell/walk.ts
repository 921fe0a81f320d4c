// The state of one analysis: what was found so far, what is known at the current place, and how the parts call each other.
import type { ParsedScript, WordPart as SyntaxPart } from 'unbash'
import { MAX_ARGUMENTS, MAX_COMMANDS } from './limits.ts'
import type {
  EnvAssignment,
  FileEffect,
  ShellContext,
  ShellProblem,
  ShellProblemKind,
  Span,
  Unit,
  UnitTrait,
  Word,
} from './shell-analysis.ts'
import { isSupplied, textWord, wordChoices } from './word.ts'

/** What is known where a command starts. Subshells get a copy. */
export interface Scope {
  /** The directories relative paths may start from: several after a conditional `cd`, null when unknown. */
  bases: readonly string[] | null
  /** Values of variables set by this command line; a loop variable has several. */
  variables: Map<string, readonly Word[]>
  /** Functions defined for certain, with the directories they were defined in. */
  functions: ReadonlyMap<string, KnownFunction>
}

interface KnownFunction {
  readonly bases: readonly string[] | null
  /** It changes the directory. */
  readonly moves: boolean
}

/** Where the walk is. */
export interface Place {
  readonly scope: Scope
  readonly role: Unit['role']
  readonly behind: readonly string[]
  /** Reached on every run, once: only there an assignment gives a variable a known value. */
  readonly certain: boolean
  /** The text positions point into. */
  readonly text: string
  /** Set inside nested scripts: the span of the word that holds them. */
  readonly span: Span | null
  /** What commands here read. */
  readonly stdin: Stdin
  /** Syntax nesting, over all scripts. */
  readonly depth: number
  /** Scripts within scripts. */
  readonly level: number
}

/** Where a command's standard input comes from. */
export type Stdin =
  | { readonly kind: 'inherited' }
  /** Here-documents and here-strings. */
  | { readonly kind: 'text'; readonly text: Word }
  /** `text`: all that comes through, when it is known (`echo 'x' |`). `names`: what the commands before were told to look for. */
  | { readonly kind: 'pipe'; readonly text: Word | null; readonly names: readonly Word[] }
  | { readonly kind: 'file' }

/** One command about to run: a simple command of the source, or one that a wrapper or an option starts. */
export interface Invocation {
  readonly words: readonly Word[]
  readonly assignments: readonly EnvAssignment[]
  readonly span: Span
  readonly source: string
  /** Stands in the script itself: functions of the script are found. */
  readonly direct: boolean
  /** From what starts it: `more-arguments` of xargs, `environment` of env. */
  readonly traits: readonly UnitTrait[]
}

export interface Walk {
  readonly context: ShellContext
  readonly units: Unit[]
  readonly effects: FileEffect[]
  readonly problems: ShellProblem[]
  /** Whether variables set on the command line are looked up. */
  readonly resolves: boolean
  /** One was looked up; something happened that makes a lookup unsafe. Both: the analysis starts again without. */
  usedVariable: boolean
  unsafeVariables: boolean
  /** What is left of the work one analysis may do: characters of nested code, words from braces, commands and their arguments. */
  readonly budget: { characters: number; words: number; commands: number; arguments: number }
  /** A variable was given text that runs a command when arithmetic reads it; arithmetic read a variable. */
  loadedVariable: boolean
  arithmeticVariable: boolean
  /** The parts of the walk, here so that they need not import each other. */
  readonly runScript: (walk: Walk, script: ParsedScript, place: Place) => void
  readonly runParts: (walk: Walk, parts: readonly SyntaxPart[], place: Place) => void
  readonly runInvocation: (walk: Walk, invocation: Invocation, place: Place) => void
}

export const inherited: Stdin = { kind: 'inherited' }

/** Never added to: `withFunction` makes another. */
export const NO_FUNCTIONS: Scope['functions'] = new Map()

/** More variables or functions than this are not remembered. */
const MAX_REMEMBERED = 64

export function remember<T>(known: Map<string, T>, name: string, value: T): void {
  if (known.size < MAX_REMEMBERED || known.has(name)) known.set(name, value)
}

/** Subshells share the map they start with: many of them start, few define anything. */
export function withFunction(known: Scope['functions'], name: string, body: KnownFunction): Scope['functions'] {
  return known.size < MAX_REMEMBERED || known.has(name) ? new Map(known).set(name, body) : known
}

export function copyScope(scope: Scope): Scope {
  return { bases: scope.bases, variables: new Map(scope.variables), functions: scope.functions }
}

/** Whether `count` more characters of nested code may be read; reports when not. */
export function spendCharacters(walk: Walk, count: number, span: Span): boolean {
  if (walk.budget.characters < 0) return false
  walk.budget.characters -= count
  if (walk.budget.characters >= 0) return true
  report(walk, 'refused', 'holds more nested code than can be analysed', span)
  return false
}

/** Whether one more command with so many arguments may be read; reports when not. */
export function spendCommand(walk: Walk, count: number, span: Span): boolean {
  if (isSpent(walk)) return false
  walk.budget.commands--
  walk.budget.arguments -= count
  if (walk.budget.commands < 0) report(walk, 'refused', `holds more than ${MAX_COMMANDS} commands`, span)
  else if (walk.budget.arguments < 0) report(walk, 'refused', `holds more than ${MAX_ARGUMENTS} words`, span)
  return !isSpent(walk)
}

/** Nothing more is read: the call is refused whatever comes. */
export function isSpent({ budget }: Walk): boolean {
  return budget.commands < 0 || budget.arguments < 0 || budget.characters < 0
}

/** A place whose changes of directory, variables and functions stay inside. */
export function insideSubshell(place: Place): Place {
  return { ...place, scope: copyScope(place.scope), depth: place.depth + 1 }
}

/** A place that is reached on some runs, or more than once. */
export function insideBranch(place: Place): Place {
  return { ...place, certain: false, depth: place.depth + 1 }
}

export function report(walk: Walk, kind: ShellProblemKind, message: string, span: Span): void {
  if (kind === 'opaque') walk.unsafeVariables = true
  walk.problems.push({ kind, message, span })
}

const MAX_BASES = 4

/** Where the walk may be after a part that ran on some runs only. */
export function joinBases(left: Scope['bases'], right: Scope['bases']): Scope['bases'] {
  if (left === right) return left
  if (!left || !right) return null
  const both = [...new Set([...left, ...right])]
  return both.length > MAX_BASES ? null : both
}

export interface Touch {
  readonly access: FileEffect['access']
  readonly path: Word
  readonly cause: FileEffect['cause']
  readonly role: FileEffect['role']
  readonly span: Span
  readonly unit: number
}

const NOTHING = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+|zero|random|urandom)$/

/** Record that a file is read or written: once for each value its name can have and each directory it can start from. */
export function touchFile(walk: Walk, touch: Touch, place: Place): void {
  if (isSupplied(touch.path)) {
    // find hands over what lies below its starting points, and says so itself.
    const isNew = touch.access === 'write' && touch.role === 'full' && place.role === 'full' && !place.behind.at(-1)?.startsWith('find')
    if (isNew) report(walk, 'unclear', 'which files it writes is known only when it runs', touch.span)
    return
  }
  for (const path of wordChoices(touch.path)) {
    if (path.value !== null && NOTHING.test(path.value)) continue
    if (path.value !== null && /^\/dev\/(?:tcp|udp)\//.test(path.value) && touch.cause === 'redirect') {
      report(walk, 'unclear', `${path.value} opens a network connection`, touch.span)
      continue
    }
    // A tilde that is still there was quoted: a file of that name.
    const plain = path.value?.startsWith('~') ? textWord(`./${path.value}`, path.source) : path
    const bases = path.value?.startsWith('/') ? [place.scope.bases?.[0] ?? walk.context.cwd] : (place.scope.bases ?? [null])
    const role = place.role === 'full' || touch.role === 'guess' ? touch.role : 'deny-only'
    const { access, cause, span, unit } = touch
    for (const base of bases) walk.effects.push({ access, path: plain, base, cause, role, span, unit })
  }
}
