// The vocabulary between shell text and rules: what one command line would run and touch.

/** A piece of a word: known text, or an unknown part whose value only the running shell knows. */
export type WordPart =
  | { readonly kind: 'text'; readonly value: string }
  /** An unquoted `*`, `?` or `[...]`: the file system decides what it becomes (never a `/`, never a leading dot). */
  | { readonly kind: 'glob'; readonly value: string }
  /**
   * `splits`: the expansion is unquoted and may become any number of words, none included.
   * `among`: all values it can have, where the command line says so (`for f in a b`).
   */
  | { readonly kind: 'unknown'; readonly splits: boolean; readonly among?: readonly Word[] }

/** One word of a command after quote removal, ANSI-C decoding, line-continuation removal and static brace expansion. */
export interface Word {
  /** The value when it has no unknown part, else null. `~`, `$HOME`, `$PWD` are expanded; glob characters stand for themselves (see `glob`). */
  readonly value: string | null
  /** The same before `~`, `$HOME` and `$PWD` were expanded; present only where that differs and there is no other unknown part. */
  readonly written?: string
  readonly parts: readonly WordPart[]
  /** As it stands in the source. */
  readonly source: string
  /** Holds an unquoted `*`, `?` or `[...]`: the file system decides what it becomes. */
  readonly glob: boolean
}

export interface Span {
  readonly start: number
  readonly end: number
}

export interface EnvAssignment {
  readonly name: string
  readonly value: Word
}

/** Why a unit is not covered by a broad allow rule. Data for the judge; the analysis decides nothing. */
export type UnitTrait =
  /** `cd` inside the root, `pwd`, `true`, `test`, `set -e` ...: needs no rule. */
  | { readonly kind: 'neutral' }
  /** `export`, `source`, `alias` ...: only a rule that names the builtin covers it. */
  | { readonly kind: 'state-change' }
  /** Code for another interpreter (`python -c`): only a rule whose literal prefix holds `option` covers it. */
  | { readonly kind: 'interpreter-code'; readonly option: string }
  /** The command word is an unknown part, a glob, or holds control, format or non-ASCII characters. */
  | { readonly kind: 'unclear-command'; readonly why: string }
  /** A wrapper option that the tables do not know. */
  | { readonly kind: 'unknown-wrapper-option'; readonly option: string }
  /** An assignment prefix outside the harmless set. */
  | { readonly kind: 'environment'; readonly name: string }
  /** Further arguments arrive at run time (xargs, find -exec {}): the rule must end in `*`. */
  | { readonly kind: 'more-arguments'; readonly list?: WordList }
  /** Runs a file that this command line wrote (`input` holds its text): looked through for what must not run. */
  | { readonly kind: 'written-code' }
  /** Anything else that keeps a broad allow from covering it, with the reason. */
  | { readonly kind: 'not-covered'; readonly why: string }

/** Where the arguments come from: from the units in this range, through a pipe, or from a file. */
export type WordList = { readonly from: number; readonly to: number } | 'file'

/** One simple command found anywhere in the input. */
export interface Unit {
  /** argv: the command word first. Empty for bare assignments. */
  readonly words: readonly Word[]
  readonly assignments: readonly EnvAssignment[]
  /** In the text that was analysed; nested scripts (`sh -c '...'`) give the span of the word that holds them. */
  readonly span: Span
  readonly source: string
  /** `full`: needs an allow rule. `deny-only`: checked against deny and ask rules, its allow is decided elsewhere (inner of a gate, outer of a transparent wrapper). */
  readonly role: 'full' | 'deny-only'
  /** Wrappers this unit was found behind, outermost first (`sudo`, `timeout`, `sh -c`). */
  readonly behind: readonly string[]
  readonly traits: readonly UnitTrait[]
  /** The directories it may run in; null: not known. */
  readonly bases: readonly string[] | null
  /** What it reads on standard input, where that is known. */
  readonly input?: Word
  /** Stands among the arguments of a program that nobody described, which may run it: a rule that forbids it asks. */
  readonly isGuess?: boolean
}

/** A file the command line would read or write. */
export interface FileEffect {
  readonly access: 'read' | 'write'
  readonly path: Word
  /** The directory relative paths start from at this point: null when a dynamic `cd` made it unknown. */
  readonly base: string | null
  readonly cause: 'redirect' | 'argument'
  /**
   * `full`: needs an allow rule for the path (redirections, `tee`, `cp`, `sort -o` ...).
   * `deny-only`: the unit's own allow covers it, deny and ask rules still hold (`cat x`, `rm x`, anything behind a gate).
   * `listing`: the names in it are shown; a rule that keeps all of a folder from being read asks.
   * `guess`: given to a program that nobody described; where a rule keeps the file from being read, a person is asked.
   */
  readonly role: 'full' | 'deny-only' | 'guess' | 'listing'
  readonly span: Span
  /** Index into `units` of the command that does it, or -1 for a bare redirect. */
  readonly unit: number
  /** Only where a `cd` failed, because one of these directories is not there. */
  readonly insteadOf?: readonly string[]
}

export type ShellProblemKind =
  /** NUL, over 64 KiB, nesting over 200: cannot be analysed, always denied. */
  | 'refused'
  /** Does not parse as Bash (here or in a nested script): never allowed, deny rules still run on what was parsed. */
  | 'parse-error'
  /** Code that is only known at run time (`eval "$x"`, `curl | sh`): may match every Bash rule. */
  | 'opaque'
  /** Network redirections (`/dev/tcp`), coproc tricks and the like: ask. */
  | 'unclear'

export interface ShellProblem {
  readonly kind: ShellProblemKind
  readonly message: string
  readonly span: Span
}

export interface ShellAnalysis {
  readonly units: readonly Unit[]
  readonly effects: readonly FileEffect[]
  readonly problems: readonly ShellProblem[]
  /** Patches that are applied, whose text is not in the command. */
  readonly patches?: readonly PatchFile[]
  /** Names that the line gives to other files. */
  readonly names?: readonly MadeName[]
  /** The directories in which the line leaves its shell, where no command fails; null: not known. */
  readonly ends?: readonly string[] | null
}

/** A link, a copy or a mount: who uses the path uses the target. Both absolute; null: known only when it runs. */
export interface MadeName {
  readonly path: string
  readonly target: string | null
  /** What is written there does not reach the target. */
  readonly isCopy: boolean
}

/** A file that holds a patch; null: nobody knows where its text comes from. */
export interface PatchFile {
  readonly file: Word | null
  readonly base: string | null
  readonly span: Span
  readonly unit: number
}

export interface ShellContext {
  readonly cwd: string
  readonly root: string
  readonly home: string
  /** Where the program lies that this analysis is part of: to run one of these files is to run Belay. */
  readonly ownFiles?: readonly string[]
  /** Assignment names beyond the built-in harmless set. */
  readonly harmlessEnv?: readonly string[]
}
