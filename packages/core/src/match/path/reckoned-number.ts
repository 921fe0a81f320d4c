// Whether a script ends processes whose numbers it reckons itself (`kill $((n + 1))`, `seq 1 9999 | xargs kill`, a loop over /proc), or takes from
// a list of all: one of them may be ours. Numbers that somebody was told are left alone (`kill $!`, `kill "$PID"`, `kill $(cat server.pid)`). Followed are variables, loops,
// pipes, `read` and the arguments of functions, within one text.
import { type Command, forEachChild, type Redirection, type SyntaxNode, type Word, type WordPart } from 'unbash'
import { parseText } from '../shell/parse-script.ts'
import type { Word as AnalysedWord } from '../shell/shell-analysis.ts'
import { anyWord, makeWord, textWord } from '../shell/word.ts'
import { LISTERS, type ListedUnit, listsOurs } from './hunted-process.ts'
import { LISTED, makesNumbers } from './number-maker.ts'

type Source = SyntaxNode | 'reckoned'

interface Flow {
  /** What each variable may be made of. */
  readonly given: Map<string, Source[]>
  readonly functions: Set<string>
  /** What the numbers of ended processes are made of. */
  readonly targets: Target[]
  /** It goes where folders are called like processes. */
  isAmongProcesses: boolean
}

interface Target {
  readonly source: string
  readonly made: readonly Source[]
}

/** They take numbers of processes: to end them, to slow them down, to limit them. */
export const TAKES_NUMBERS = /^(?:kill|skill|snice|renice|ionice|chrt|taskset|prlimit|cpulimit|schedtool|uclampset|choom)$/
const HANDS_ON = /^(?:xargs|parallel|rush|find|fd)$/
/** Of these the numbers of processes follow an option: a number elsewhere is a priority or a mask. */
export const BY_OPTION = /^(?:ionice|chrt|taskset|prlimit|cpulimit|schedtool|uclampset|choom)$/

export interface Reckoned {
  /** The words that say which processes, where these are reckoned. */
  readonly found: string | null
  /** Nothing in the text says that it ends processes (`k=kill; $k $((n + 1))`), and numbers are reckoned somewhere. */
  readonly isAnywhere: boolean
  readonly hasTargets: boolean
}

export function findReckoned(text: string): Reckoned {
  const script = parseText(text)
  if (script === null) return { found: null, isAnywhere: false, hasTargets: false }
  const flow: Flow = { given: new Map(), functions: new Set(), targets: [], isAmongProcesses: false }
  noteFunctions(flow, script)
  follow(flow, script, [])
  const isReckoned = flow.isAmongProcesses ? (): boolean => true : reckonedBy(flow)
  const found = flow.targets.find(({ made }) => made.some(isReckoned))?.source ?? null
  const hasTargets = flow.targets.length > 0
  return { found, isAnywhere: !hasTargets && isReckoned(script), hasTargets }
}

function noteFunctions(flow: Flow, node: SyntaxNode): void {
  if (node.type === 'Function') flow.functions.add(node.name.value)
  forEachChild(node, child => noteFunctions(flow, child))
}

/** `input`: what commands here read on standard input. */
function follow(flow: Flow, node: SyntaxNode, input: readonly Source[]): void {
  if (node.type === 'Pipeline') {
    if (node.commands.length > MAX_STAGES) flow.isAmongProcesses = true
    node.commands.slice(0, MAX_STAGES).forEach((command, at) => {
      follow(flow, command, at === 0 ? input : [{ ...node, commands: node.commands.slice(0, at) }])
    })
    return
  }
  const own = node.type === 'Redirected' || node.type === 'Command' ? (readFrom(node.redirects) ?? input) : input
  if (node.type === 'Command') followCommand(flow, node, own)
  if (node.type === 'For' || node.type === 'Select')
    give(flow, node.name.value, node.wordlist ?? POSITIONAL.flatMap(name => flow.given.get(name) ?? []))
  if (node.type === 'Assignment') give(flow, node.name, [node.value])
  if (node.type === 'ParameterExpansion' && node.operation?.type === 'Default') give(flow, node.parameter, [node.operation.operand])
  if (node.type === 'ArithmeticBinary' && /^(?:[-+*/%&|^]|<<|>>)?=$/.test(node.operator)) reckon(flow, node.left)
  if (node.type === 'ArithmeticUnary' && /^(?:\+\+|--)$/.test(node.operator)) reckon(flow, node.operand)
  forEachChild(node, child => follow(flow, child, own))
}

function readFrom(redirects: readonly Redirection[]): readonly Source[] | null {
  const read = redirects.filter(({ operator }) => operator.startsWith('<'))
  return read.length === 0 ? null : read
}

function give(flow: Flow, name: string, made: readonly Source[]): void {
  const before = flow.given.get(name)
  if (before === undefined) flow.given.set(name, [...made])
  else before.push(...made)
}

function reckon(flow: Flow, node: SyntaxNode): void {
  if (node.type === 'ArithmeticWord') give(flow, node.value.replace(/\[.*/s, ''), ['reckoned'])
}

const POSITIONAL = ['@', '*', '1', '2', '3', '4', '5', '6', '7', '8', '9']
const DECLARES = /^(?:declare|typeset|local|readonly|export)$/
const READS = /^(?:read|mapfile|readarray)$/

function followCommand(flow: Flow, command: Command, input: readonly Source[]): void {
  const name = command.name?.value ?? ''
  const { args } = command
  const names = args.flatMap(arg => (arg.type === 'Assignment' ? [arg.name] : /^\w+$/.test(arg.value) ? [arg.value] : []))
  const hasOption = (option: RegExp): boolean => args.some(arg => arg.type === 'Word' && option.test(arg.value))
  if (READS.test(name)) for (const each of [...names, 'REPLY', 'MAPFILE']) give(flow, each, input)
  else if (name === 'let') for (const arg of args) give(flow, /^\W*(\w+)/.exec(textOf(arg))?.[1] ?? '', ['reckoned'])
  else if (DECLARES.test(name) && hasOption(name === 'export' || name === 'readonly' ? /^-\w*i/ : /^-\w*[in]/))
    for (const each of names) give(flow, each, ['reckoned'])
  else if (name === 'printf' && hasOption(/^-v/)) give(flow, names[0] ?? '', makesNumbers(command) ? ['reckoned'] : args)
  else if (name === 'set' || flow.functions.has(name)) for (const each of POSITIONAL) give(flow, each, args)
  else if (name === 'cd' || name === 'pushd') flow.isAmongProcesses ||= args.some(arg => LISTED.test(textOf(arg)))
  noteTargets(flow, command, input)
}

function textOf(arg: Command['args'][number]): string {
  return arg.type === 'Word' ? arg.value : arg.text
}

/** `kill $x`, `sudo kill $x`, `xargs -n1 kill -9`. */
function noteTargets(flow: Flow, command: Command, input: readonly Source[]): void {
  const words = [command.name, ...command.args].filter((word): word is Word => word?.type === 'Word')
  const at = words.findIndex(word => TAKES_NUMBERS.test(baseName(word.value)))
  if (at === -1) return
  const program = baseName(words[at]?.value ?? '')
  const isHanded = words.slice(0, at).some(word => HANDS_ON.test(baseName(word.value)))
  const given = words.slice(at + 1)
  if (isHanded) {
    const files = words.slice(0, at).filter((_word, index) => /^(?:-a|--arg-file)$/.test(words[index - 1]?.value ?? ''))
    flow.targets.push({ source: words.map(({ text }) => text).join(' '), made: [...input, ...files, ...words.slice(1, at)] })
  }
  if (given.some(({ value }) => /^-(?:0|l|L|-list|-table)$/.test(value))) {
    flow.targets.push({ source: program, made: [] })
    return
  }
  for (const [index, word] of given.entries()) {
    if (BY_OPTION.test(program) && !isOptionValue(word, given[index - 1]) && !(index === given.length - 1 && isBehindMask(given))) continue
    if (!/^-(?:[A-Z]+\d*|\d+)$/i.test(word.value)) flow.targets.push({ source: word.text, made: [isPieced(word) ? 'reckoned' : word] })
  }
}

function isOptionValue({ value }: Word, before: Word | undefined): boolean {
  return /^-(?:[a-z]*p|-pid)/.test(value) || /^-(?:[a-z]*[pP]|-pid)$/.test(before?.value ?? '')
}

/** `taskset -p MASK PID`, `chrt -p 0 PID`. */
function isBehindMask(given: readonly Word[]): boolean {
  return given.length > 2 && /^-[a-z]*p$/.test(given.at(-3)?.value ?? '')
}

/** Digits beside a variable, or two variables in one word, are a number put together: `kill 20$i`, `kill $a$b`. A pattern is a name of a file. */
function isPieced({ parts = [] }: Word): boolean {
  const inner = parts.flatMap((part): readonly WordPart[] => (part.type === 'DoubleQuoted' ? part.parts : [part]))
  if (inner.some(({ type }) => /^(?:Glob|ExtendedGlob)$/.test(type))) return true
  const unknown = inner.filter(({ type }) => /Expansion$/.test(type))
  return unknown.length > 1 || (unknown.length > 0 && inner.some(part => part.type === 'Literal' && /\d/.test(part.value)))
}

/** Variables of the shell that are a number and no process's, or the agent's. */
const NUMBERS = /^(?:PPID|RANDOM|SRANDOM|SECONDS|EPOCH\w+|LINENO|UID|EUID|OPTIND|COLUMNS|HISTCMD|SHLVL|BASH_SUBSHELL|#|\?)$/

/** A pattern of digits alone, or of anything. */
const NAMES_NOTHING = /^(?:\[[\d^!-]+\]|[*?+])+$/

interface Way {
  /** Commands that what comes from here goes through. */
  readonly after: readonly Command[]
  /** Variables on the way here. */
  readonly names: readonly string[]
}

const START: Way = { after: [], names: [] }
/** Longer ways are not followed: a person is asked. */
const MAX_STEPS = 20_000
const MAX_STAGES = 100

/** Whether a source is a number that the line makes, or a list of processes that ours may be on. */
function reckonedBy({ given }: Flow): (source: Source) => boolean {
  let steps = 0
  const isReckonedName = (name: string, { after, names }: Way): boolean => {
    if (NUMBERS.test(name)) return true
    steps += names.length
    if (names.includes(name)) return false
    return (given.get(name) ?? []).some(source => isReckoned(source, { after, names: [...names, name] }))
  }
  function isReckoned(source: Source, way: Way): boolean {
    if (source === 'reckoned' || source.type === 'ArithmeticExpansion' || ++steps > MAX_STEPS) return true
    if (source.type === 'BraceExpansion') return source.text.includes('..')
    if (source.type === 'SimpleExpansion') return isReckonedName(source.text.slice(1), way)
    if (source.type === 'ParameterExpansion') return source.prefix !== undefined || isReckonedName(source.parameter, way)
    if (source.type === 'Command' && (makesNumbers(source) || listsFor(source, way))) return true
    if (source.type === 'Word' && (LISTED.test(source.value) || NAMES_NOTHING.test(source.text))) return true
    if (source.type === 'Command' && findsByPort(source)) return false
    steps += way.after.length
    if (source.type === 'Pipeline')
      return source.commands.some((command, at) =>
        isReckoned(command, { ...way, after: [...source.commands.slice(at + 1).flatMap(commandsIn), ...way.after] }),
      )
    const own = source.type === 'Command' ? { ...way, after: [source, ...way.after] } : way
    let found = false
    forEachChild(source, child => {
      found ||= isReckoned(child, own)
    })
    return found
  }
  return source => isReckoned(source, START)
}

/** Words are read only of those that may list processes. */
function listsFor(command: Command, { after }: Way): boolean {
  return LISTERS.test(baseName(command.name?.value ?? '')) && listsOurs(unitOf(command), after.map(unitOf))
}

function commandsIn(node: SyntaxNode): readonly Command[] {
  if (node.type === 'Command') return [node]
  const found: Command[] = []
  forEachChild(node, child => {
    found.push(...commandsIn(child))
  })
  return found
}

function unitOf({ name, args }: Command): ListedUnit {
  const words = [name, ...args].flatMap(word => (word?.type === 'Word' ? [wordOf(word)] : []))
  return { program: baseName(name?.value ?? ''), words }
}

function wordOf({ text, value, parts = [] }: Word): AnalysedWord {
  return parts.some(isUnknown) ? makeWord([anyWord], text) : textWord(value, text)
}

function isUnknown(part: WordPart): boolean {
  return part.type === 'DoubleQuoted' ? part.parts.some(isUnknown) : /Expansion$/.test(part.type) && part.type !== 'BraceExpansion'
}

/** A number among its words is a port: `lsof -ti:$port`. */
function findsByPort({ name, args }: Command): boolean {
  return /^(?:lsof|fuser|ss|netstat|pgrep)$/.test(baseName(name?.value ?? '')) && !args.some(arg => /^-\w*p/.test(textOf(arg)))
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
