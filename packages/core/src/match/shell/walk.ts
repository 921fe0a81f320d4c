// The state of one analysis: what was found so far, what is known at the current place, and how the parts call each other.
import type { Function as FunctionNode, ParsedScript, Redirection, WordPart as SyntaxPart } from 'unbash'
import type { Call } from './call.ts'
import { fileUriPaths } from './file-uri.ts'
import { MAX_ARGUMENTS, MAX_COMMANDS } from './limits.ts'
import type { MadeFiles } from './made-file.ts'
import { FILE_WORK, type Meter, pathWork, wordWork } from './meter.ts'
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
  /** Where it is instead if a `cd` before failed: nothing but `&&` keeps the next command from running. */
  failedBases: readonly string[]
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

export interface FunctionBody {
  readonly node: FunctionNode
  /** The text its positions point into. */
  readonly text: string
  /** What it was seen to read. */
  readonly inputs: Set<Stdin>
  /** It is being walked. */
  running: boolean
}

export interface EarlyCall {
  readonly place: Place
  readonly span: Span
}

/** Where the walk is. */
export interface Place {
  readonly scope: Scope
  readonly role: Unit['role']
  readonly isGuess?: boolean
  readonly behind: readonly string[]
  /** Reached on every run, once: only there an assignment gives a variable a known value. */
  readonly certain: boolean
  /** The text positions point into. */
  readonly text: string
  /** Set inside nested scripts: the span of the word that holds them. */
  readonly span: Span | null
  /** What the command here reads. */
  readonly stdin: Stdin
  /** What commands of this shell read that are not redirected themselves. */
  readonly input: Input
  /** Syntax nesting, over all scripts. */
  readonly depth: number
  /** Scripts within scripts. */
  readonly level: number
  /** In a shell of its own, whose folder nobody else has. */
  readonly isApart?: boolean
}

/** Standard input of a shell: `exec <file` changes it for all that follows. */
export interface Input {
  stdin: Stdin
  /** Several commands read from it one after the other, so that nobody knows where the next begins. */
  shared: boolean
}

/** Where a command's standard input comes from. */
export type Stdin =
  | { readonly kind: 'inherited' }
  /** Here-documents and here-strings. */
  | { readonly kind: 'text'; readonly text: Word }
  /** `text`: all that comes through, when it is known (`echo 'x' |`). `names`: what the commands before were told to look for. */
  | {
      readonly kind: 'pipe'
      readonly text: Word | null
      readonly names: readonly Word[]
      /** The program before, and the files whose text it sends (`cat x |`). */
      readonly by?: string
      readonly files?: readonly Word[]
      /** The first of the units before. */
      readonly from?: number
    }
  | { readonly kind: 'file'; readonly path?: Word }

/** One command about to run: a simple command of the source, or one that a wrapper or an option starts. */
export interface Invocation {
  readonly words: readonly Word[]
  readonly assignments: readonly EnvAssignment[]
  readonly span: Span
  readonly source: string
  /** Stands in the script itself: functions of the script are found. */
  readonly direct: boolean
  /** What comes through `<(...)` among its arguments, where that is known. */
  readonly supplied?: Word
  /** From what starts it: `more-arguments` of xargs, `environment` of env. */
  readonly traits: readonly UnitTrait[]
}

export interface Walk {
  readonly context: ShellContext
  readonly units: Unit[]
  readonly effects: FileEffect[]
  readonly problems: ShellProblem[]
  /** Patches whose text is not known here, with the command that applies them. */
  readonly patches: { readonly call: Call; readonly file: Word | null }[]
  /** Texts on standard input that look like patches. */
  readonly patchTexts: Word[]
  /** What the line wrote and named so far. */
  readonly made: MadeFiles
  /** Something was noted there. */
  readonly hasMade: boolean
  /** The directories in which the line leaves its shell, where no command fails; null: not known. */
  ends: readonly string[] | null
  /** Whether variables set on the command line are looked up. */
  readonly resolves: boolean
  /** One was looked up; something happened that makes a lookup unsafe. Both: the analysis starts again without. */
  usedVariable: boolean
  unsafeVariables: boolean
  /** The work done so far; it throws where that is too much. */
  readonly meter: Meter
  /** Characters of code that the parser was given. */
  parsed: number
  /** What is left of the size one analysis may have: characters of nested code, words from braces, commands and their arguments. */
  readonly budget: { characters: number; words: number; commands: number; arguments: number }
  /** Texts that run a command when arithmetic reads them from a variable; whether arithmetic read a variable. */
  readonly loadedTexts: Set<string>
  /** Those of them that were run. */
  readonly ranTexts: Set<string>
  arithmeticVariable: boolean
  /** `CDPATH` was set: a plain name behind `cd` may lie anywhere. */
  hasSearchPath: boolean
  /** `HOME` was set: nobody knows where a tilde leads. */
  hasOtherHome: boolean
  /** Values of the variables by which git is given settings; null where none is set. */
  gitVariables: Map<string, readonly Word[]> | null
  /** How deep in substitutions whose text is known the walk is. */
  substituting: number
  /** Every function that is defined anywhere, and which of its calls were followed. */
  readonly functions: Map<string, FunctionBody[]>
  /** One of them changes the directory: it does so for whoever calls it, also through another. */
  functionsMove: boolean
  /** Calls with an input of their own, by names that no function had when they came. */
  readonly earlyCalls: Map<string, EarlyCall[]>
  /** The parts of the walk, here so that they need not import each other. */
  readonly runScript: (walk: Walk, script: ParsedScript, place: Place) => void
  readonly runBody: (walk: Walk, node: FunctionNode, place: Place) => void
  readonly readStdin: (walk: Walk, redirects: readonly Redirection[], place: Place) => Stdin | null
  readonly runParts: (walk: Walk, parts: readonly SyntaxPart[], place: Place) => void
  readonly substitutedText: (walk: Walk, script: ParsedScript, scope: Scope) => string | null
  readonly runInvocation: (walk: Walk, invocation: Invocation, place: Place) => void
}

export const inherited: Stdin = { kind: 'inherited' }

/** A pipe of which nothing is known. */
export const somePipe: Stdin = { kind: 'pipe', text: null, names: [] }

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
  return { bases: scope.bases, failedBases: scope.failedBases, variables: new Map(scope.variables), functions: scope.functions }
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

/** A place whose changes of directory, variables, functions and standard input stay inside. */
export function insideSubshell(place: Place): Place {
  return { ...place, scope: copyScope(place.scope), input: { ...place.input }, depth: place.depth + 1, isApart: true }
}

export function noteEnd(walk: Walk, place: Place): void {
  if (place.isApart !== true && place.level === 0) walk.ends = place.scope.bases
}

/** A place where everything reads from here. */
export function withInput(place: Place, stdin: Stdin, shared: boolean): Place {
  return { ...place, stdin, input: { stdin, shared } }
}

/** `exec <file`: what follows in this shell reads from there. Where that happens on some runs only, nobody knows what it reads. */
export function changeInput({ stdin, input, certain }: Place): void {
  if (stdin === input.stdin) return
  input.stdin = certain || input.stdin.kind === 'inherited' ? stdin : { kind: 'file' }
  input.shared = true
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

/** Code that may run touches what it may touch. */
function effectRole({ role }: Touch, place: Place): FileEffect['role'] {
  if (role === 'guess' || role === 'listing') return role
  if (place.role === 'full') return role
  return place.isGuess === true ? 'guess' : 'deny-only'
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
    const isDevice = path.value?.startsWith('/dev/') === true
    if (path.value !== null && isDevice && NOTHING.test(path.value)) continue
    if (path.value !== null && isDevice && /^\/dev\/(?:tcp|udp)\//.test(path.value) && touch.cause === 'redirect') {
      report(walk, 'unclear', `${path.value} opens a network connection`, touch.span)
      continue
    }
    // A tilde that is still there was quoted: a file of that name.
    const plain = path.value?.startsWith('~') ? textWord(`./${path.value}`, path.source) : path
    const bases = path.value?.startsWith('/') ? [place.scope.bases?.[0] ?? walk.context.cwd] : (place.scope.bases ?? [null])
    const role = effectRole(touch, place)
    const { access, cause, span, unit } = touch
    for (const base of bases) {
      walk.meter.spend(FILE_WORK + wordWork(plain, 1) + pathWork((base?.length ?? 0) + plain.source.length))
      walk.effects.push({ access, path: plain, base, cause, role, span, unit })
    }
    if (place.scope.failedBases.length > 0) touchElsewhere(walk, { ...touch, path: plain, role }, place)
    if (cause === 'redirect') continue
    for (const named of fileUriPaths(path)) touchFile(walk, { ...touch, path: named, role: role === 'full' ? 'deny-only' : role }, place)
  }
}

/** The same file where a `cd` before failed: only deny and ask rules speak of it. */
function touchElsewhere(walk: Walk, { access, path, cause, role, span, unit }: Touch, { scope: { bases, failedBases } }: Place): void {
  if (bases === null || path.value?.startsWith('/')) return
  for (const base of failedBases) {
    if (bases.includes(base)) continue
    walk.meter.spend(FILE_WORK + wordWork(path, 1) + pathWork(base.length + path.source.length))
    walk.effects.push({ access, path, base, cause, role: role === 'full' ? 'deny-only' : role, span, unit, insteadOf: bases })
  }
}
