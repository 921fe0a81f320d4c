// What the analysis knows about a program, as data. Option lists are written as text and read on first use:
// `-o,--output:write -r,--reverse -k:value` = names of one option, comma-separated, then what its value is for (none: a flag).

/** What an option (or its value) does. */
export type OptionUse =
  /** No value. */
  | 'flag'
  /** Takes a value that is only data. */
  | 'value'
  /** Takes a value only when it is glued on (`-i.bak`, `--color=auto`). */
  | 'maybe'
  /** Takes only the figures behind it; further letters of the cluster are options again (`perl -l012e`, `-0777ne`). */
  | 'digits'
  | 'read'
  /** A file of paths, or `-`: each is what an operand would be (`git rm --pathspec-from-file=x`). */
  | 'path-list'
  /** Such a list comes on standard input; no value, or a glued one that is only data (`git cat-file --batch=%(objectname)`). */
  | 'stdin-list'
  | 'write'
  /** A write that the unit's own allow covers; deny rules for the path still hold. */
  | 'write-own'
  /** Read, and written under the unit's own allow. */
  | 'update'
  /** A directory that is filled with files nobody names (`unzip -d`). */
  | 'into'
  /** Read like `read`; where it is a pipe or a descriptor (`make -f <(...)`), or lies outside the project, it is code that nobody vouches for. */
  | 'rules'
  /** A place of this machine that a container gets: `/host:/inside:ro`, or `type=bind,source=/host`. */
  | 'volume'
  | 'mount'
  /** A project (its directory, or the file that describes it) whose scripts are run: one outside of this project needs a rule of its own. */
  | 'project'
  /** The same, and later relative paths start from there (`make -C`). */
  | 'project-directory'
  /** A kind, and behind a colon the file that is written (`--cov-report xml:x`). */
  | 'report'
  /** `name=value` of a configuration file; most names can lead to code (`pytest -o addopts=...`). */
  | 'ini-setting'
  /** Data, or a file behind `@` (`curl -d @x`, `gh api -F body=@x`). */
  | 'upload'
  /** `name=path`, or a path alone: the path is read (`kubectl --from-file=k=x`, `docker build --ssh default=x`). */
  | 'named-path'
  /** Lines or a function, and behind the last colon the file that they are of (`git log -L 1,5:x`). */
  | 'read-range'
  /** A file of variables that is read: the glued value, or `.env`. */
  | 'env-file'
  /** A pattern of file names that are read (`grep --include='.e*'`). */
  | 'read-pattern'
  /** The same as a regular expression (`ag -G env`), or as a type of files (`ack --type-set x:is:.env`, `rg --type-add 'x:.env*'`). */
  | 'read-regex'
  | 'read-type'
  /** Name of a module to run: some take code as an argument (`python -m timeit`). */
  | 'module'
  /** Statements for a database; some start programs (`psql -c '\\! ls'`). */
  | 'statement'
  /** Glued value or none; writes its operands (`sed -i`). */
  | 'in-place'
  /** A shell command line. */
  | 'shell'
  /** The same; only a glued value is one. */
  | 'shell-maybe'
  /** A program and its arguments, split at blanks, run without a shell. */
  | 'words'
  /** Code for the interpreter that the program is. */
  | 'code'
  /** Code for an editor (`vim -c 'w x'`): files it names are touched too. */
  | 'editor-code'
  /** Text in which only some signs run a command (`rpm --eval '%(ls)'`, `dc -e '!ls'`). */
  | 'macro'
  /** A file of code. */
  | 'code-file'
  /** A flag, or an option with value, that no broad allow covers. */
  | 'danger'
  | 'danger-value'
  /** A directory that later relative paths start from (`tar -C`). */
  | 'directory'
  /** Like `directory`, and the program looks for its own configuration there (`git -C`). */
  | 'target'
  /** Takes two values: a name, then data or a file (`jq --arg x 1`, `--slurpfile x f`). */
  | 'named-value'
  | 'named-read'
  /** The value needs a reader of its own. */
  | 'git-config'
  | 'ssh-option'
  | 'tar-action'
  | 'archive'
  | 'sed-script'
  | 'env-split'
  /** Flags for a linker: one of them names the program that links. */
  | 'linker-flags'
  | 'unset'

/** What the words that are not options are. */
export type OperandUse =
  | 'data'
  /** Projects or files of code that are run: those outside of this project need a rule of their own. */
  | 'projects'
  | 'read'
  | 'write'
  /** Written under the unit's own allow (`rm`, `chmod`). */
  | 'write-own'
  /** Read; written too where an option says so (`prettier --write`). */
  | 'format'
  /** Read, and written under the unit's own allow (`git stash push`). */
  | 'rewrite'
  /** A first operand that is written, then files that are read (`zip x.zip a b`, `git bundle create x HEAD`). */
  | 'pack'
  /** An archive that is read, then members that are written when they come out (`unzip x.zip a`). */
  | 'unpack'
  /** Each is read and replaced by a file with or without the suffix (`gzip a`, `gunzip a.gz`). */
  | 'compress'
  /** Revisions and paths that are overwritten: all but the first are paths (`git checkout HEAD a`). */
  | 'checkout'
  /** Pages of a manual, or files where a slash or `-l` says so. */
  | 'pages'
  /** Addresses; what is behind them lands in a file named like their end (`wget http://h/a`). */
  | 'download'
  /** The same, after a first operand that is no file (`chmod 644 x`). */
  | 'write-own-after-first'
  /** The first operand is a pattern or a program unless an option gave one; the rest is read. */
  | 'read-after-first'
  /** The same, with path patterns of git. */
  | 'search'
  /** Revisions and paths (`HEAD`, `HEAD:a`, `a`): what could be a path is read. */
  | 'revisions'
  /** Read when an archive is made (tar). */
  | 'members'
  /** Sources are read, the last is written. */
  | 'copy'
  /** The first is seen under the name of the second (`mount --bind a b`). */
  | 'link'
  /** Sources and destination are written. */
  | 'move'
  /** `key=value` words (dd). */
  | 'assignments'
  /** The rest is a command and its arguments. */
  | 'command'
  /** The rest, joined with blanks, is a shell command line. */
  | 'shell'
  /** The first operand is a file of code, the rest its arguments. None: code comes from standard input. */
  | 'script'
  /** Every operand is a command line of its own (`concurrently`). */
  | 'shells'

export interface Program {
  readonly options?: string
  /** `-name value`, `-name=value`: long options with one dash (go, java, terraform). */
  readonly singleDash?: boolean
  /** Long options may be cut short (`--upl`); getopt_long, git and perl do, most newer programs do not. */
  readonly exactNames?: boolean
  /** The first operand ends the options. */
  readonly stops?: boolean
  readonly operands?: OperandUse
  /** transparent: the inner command decides alone. gate: an allow rule must name the wrapper. option: both need their own allow. */
  readonly wrapper?: 'transparent' | 'gate' | 'option'
  /** Operands before the inner command (`timeout 5`, `chroot /x`). */
  readonly skip?: number
  /** Those are files that are written, a lock that is made, or an image that may itself be a program (`docker run amazon/aws-cli s3 rm x`). */
  readonly skipUse?: 'write' | 'lock' | 'image'
  /** What follows are arguments of this program (`kitten ssh host`). */
  readonly starts?: string
  /** Its operands may be a command instead. */
  readonly launches?: boolean
  /** Without an inner command it starts a shell that reads standard input. */
  readonly startsShell?: boolean
  /** Behind this option the rest of the line is a command (`nix shell x -c cat y`). */
  readonly takesRest?: RegExp
  /** Assignments may stand before the inner command (`env`, `sudo`). */
  readonly assigns?: boolean
  /** The inner command gets further arguments at run time. */
  readonly appends?: boolean
  readonly verbs?: Readonly<Record<string, Program>>
  /** Operands before the verb (`yarn workspace NAME exec`). */
  readonly beforeVerb?: number
  /** What a word in the place of a verb means when it is none (`pnpm tsc`): it is the first word of a command. */
  readonly otherVerb?: Program
  /** The whole program (or verb) is not covered by a broad allow: the reason. */
  readonly danger?: string
  /** Name of a reader of its own, run beside the options. */
  readonly reader?: ReaderName
  /** A directory is entered before anything else happens, wherever its option stands (`make -f x -C d`). */
  readonly movesFirst?: boolean
  /** Options of another program hold here too. */
  readonly same?: string
}

/** Programs whose arguments need more than an option list. */
export type ReaderName =
  | 'find'
  | 'sed'
  | 'awk'
  | 'git'
  | 'git-config-verb'
  | 'parallel'
  | 'plus-command'
  | 'stdin-shell'
  | 'tar'
  | 'make'
  | 'statement'
  | 'gh-clone'
  | 'stdin-names'
  | 'ar'
  | 'patch'
  | 'editor'
  | 'http-items'
  | 'address'
  | 'tmux-format'
  | 'macro'
  | 'clock'
  | 'key-file'
  | 'build-file'
  | 'binds'
  | 'rename'
  | 'miller'

export type ProgramTable = Readonly<Record<string, Program>>

export interface Option {
  /** The first name in the list. */
  readonly name: string
  readonly use: OptionUse
}

export interface OptionSet {
  readonly byName: ReadonlyMap<string, Option>
  readonly longNames: readonly string[]
  /** Names like `-TT` that a command is glued to. */
  readonly glued: readonly Option[]
}

const compiled = new Map<string, OptionSet>()

export function readOptions(text: string): OptionSet {
  const known = compiled.get(text)
  if (known) return known
  const byName = new Map<string, Option>()
  for (const entry of text.split(/\s+/)) {
    if (entry === '') continue
    const [names = '', use = 'flag'] = entry.split(':')
    const list = names.split(',')
    const option: Option = { name: list[0] ?? '', use: use as OptionUse }
    for (const name of list) byName.set(name, option)
  }
  const glued = [...new Set(byName.values())].filter(({ name, use }) => use === 'shell' && /^-[^-]{2}$/.test(name))
  const set = { byName, longNames: [...byName.keys()].filter(name => name.startsWith('--')), glued }
  compiled.set(text, set)
  return set
}
