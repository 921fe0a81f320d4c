// A line that ends whatever another of its commands lists (`ps aux | grep x | xargs kill`): whether that may be one of Belay's processes. What
// narrows the list decides: a filter that lets none of ours through leaves them alone, and a list that nothing narrows holds all of them.
import type { Word } from '../shell/shell-analysis.ts'
import { AGENT_LINES, AGENT_PROGRAMS } from './agent-program.ts'
import { searchPattern } from './search-pattern.ts'

/** Names and command lines of processes of ours. The shell of a hook line is one: an agent whose hook is killed runs the tool. */
export const OWN_NAMES = ['node', 'MainThread', 'node-MainThread', 'belay', 'belayd', 'belay-hook', 'sh', 'bash', 'dash', 'zsh']
/** With those of agents, which are as good as ours. */
const HUNTED = [...OWN_NAMES, ...AGENT_PROGRAMS]
const SHELLS = ['/bin/sh -c', 'sh -c', '/bin/bash -c', 'bash -c', '/bin/bash -lc', 'bash -lc', '/bin/zsh -lc', 'dash -c']
const EVENTS = ['claude-code --event PreToolUse', 'gemini --event BeforeTool', 'cursor --event preToolUse']
export const OWN_LINES = [
  'node /usr/lib/node_modules/@belay/host/bin/belay.cjs up',
  'node /usr/local/bin/belay up',
  'belay run',
  'belay mcp-proxy',
  ...SHELLS.flatMap(shell => EVENTS.map(event => `${shell} ${hookLine(event)}`)),
]

/** As installed, but for the sentence at its end: hook-line.test.ts of host holds both together. */
function hookLine(event: string): string {
  return `{ set +x; } >/dev/null 2>&1; trap 'exit 2' 0; trap 'echo "Tool denied: the shell of the hook was told to end." >&2; exit 2' 1 2 3 13 14 15; '/root/.belay/bin/belay-hook' --agent ${event} --deadline-ms 100000 --proof 90; case $? in 90) trap - 0 && exit 0;; 92) exit 2;; esac; exit 2`
}

export interface ListedUnit {
  /** Name of the program. */
  readonly program: string
  readonly words: readonly Word[]
}

const FILTERS = /^(?:[efz]?grep|rg|ag|ack|ugrep)$/
const SCRIPTED = /^(?:[gmn]?awk|g?sed|perl)$/
const TURNED = /^-[a-zA-Z]*v|^--invert-match$/
/** Options of ps that name the processes themselves. */
const CHOOSING = /^(?:-[a-zA-Z]*[pts]|--(?:pid|tty|sid|quick-pid)(?:=.*)?|-?\d+)$/
/** By the name of their program, or by the process that started them. */
const BY_NAME = /^-[a-zA-Z]*C$/
const BY_PARENT = /^--ppid(?:=|$)/
/** The shell of the command itself, or what it started. */
const OWN_SHELL = /^["']?\$(?:\$|!|\{?BASHPID\}?)["']?$/

/** Whether what this command lists, and all these let through, may be one of ours. */
export function listsOurs(unit: ListedUnit, after: readonly ListedUnit[]): boolean {
  return isLister(unit) && after.filter(isFilter).every(filter => patternsOf(filter).some(mayBeOurs))
}

/** Programs that may list processes. */
export const LISTERS = /^(?:ps|top|pstree|procs|w|who|systemd-cgls|systemd-cgtop|lsof|ss|netstat)$/
/** `lsof -i:3000`, `lsof -c vite`, `lsof ./x.log`, `ss 'sport = :3000'`. */
const NARROWED = /:\S|port|[/.]/
const CHOSEN = /^-[a-zA-Z]*[pc]/

function isLister({ program, words }: ListedUnit): boolean {
  if (!LISTERS.test(program)) return false
  if (program === 'ps') return !leavesOursOut(words)
  if (/^(?:lsof|ss|netstat)$/.test(program))
    return !words.slice(1).some(({ value, source }) => {
      const text = (value ?? source).replace(/^-s(?:TCP|UDP):\w+$/, '')
      return NARROWED.test(text) || (program === 'lsof' && CHOSEN.test(text))
    })
  return !words.slice(1).some(({ value, source }) => OF_ONE.test(value ?? source))
}

/** One process, by its number or a variable. */
const OF_ONE = /^(?:\d+|["']?\$\{?(?:(?=\w*pid)\w+|[!$])\}?["']?)$/i

/** The command by which the line may find one of ours; null: none does. */
export function findHunter<T extends ListedUnit>(units: readonly T[]): T | null {
  const finder = units.find(findsAgent)
  if (finder !== undefined) return finder
  const lister = units.find(({ program, words }) => program === 'ps' && !leavesOursOut(words))
  const filters = units.filter(isFilter)
  if (lister === undefined) return filters.find(unit => patternsOf(unit).some(mayBeOurs)) ?? null
  const keepsOurs = (unit: T): boolean => patternsOf(unit).some(mayBeOurs)
  return filters.every(keepsOurs) ? (filters[0] ?? lister) : null
}

/** `pgrep -f 'claude.*cli'`: to look for an agent is free, and to end what is found is not. */
function findsAgent({ program, words }: ListedUnit): boolean {
  if (program !== 'pgrep') return false
  const isWhole = words.some(({ value }) => /^(?:-[a-zA-Z]*f|--full$)/.test(value ?? ''))
  const sought = isWhole ? [...AGENT_PROGRAMS, ...AGENT_LINES] : AGENT_PROGRAMS
  return words.slice(1).some(({ value }) => value !== null && !value.startsWith('-') && sought.some(searchPattern(value)))
}

/** Where `ps` is told which processes it is to list: whether none of them is ours. */
function leavesOursOut(words: readonly Word[]): boolean {
  const [named, parent] = [BY_NAME, BY_PARENT].map(option => words.findIndex(word => option.test(word.value ?? word.source))) as [
    number,
    number,
  ]
  if (parent !== -1) return isOwnChild(words, parent, BY_PARENT)
  if (named === -1) return words.slice(1).some(({ value, source }) => CHOOSING.test(value ?? '') || OF_ONE.test(value ?? source))
  const names = words[named + 1]?.value?.split(',') ?? [null]
  return !names.some(name => name === null || HUNTED.includes(name))
}

/** Whether the value of the option at this word is the shell of the command: what that started has nothing to do with us. */
export function isOwnChild(words: readonly Word[], at: number, option: RegExp): boolean {
  const beside = (words[at]?.source ?? '').replace(option, '')
  return OWN_SHELL.test(beside === '' ? (words[at + 1]?.source ?? '') : beside)
}

function isFilter(unit: ListedUnit): boolean {
  const has = (option: RegExp): boolean => unit.words.some(word => option.test(word.value ?? ''))
  if (FILTERS.test(unit.program)) return !has(TURNED) && !(has(/^-[a-zA-Z]*o|^--only/) && has(/\\d|\[0-9\]|:digit:/))
  return SCRIPTED.test(unit.program) && patternsOf(unit).length > 0
}

/** What sed only changes, it hands on; with `p` behind it may be all that it hands on. */
const SUBSTITUTES = /(?<![\w/])s(\W)(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1(?![a-z0-9]*p)[gimeI0-9]*/g

/** null: known only when it runs. */
function patternsOf({ program, words }: ListedUnit): readonly (string | null)[] {
  const values = words.slice(1).map(word => word.value)
  if (FILTERS.test(program)) return values.filter(value => value === null || !value.startsWith('-'))
  return values.flatMap(value =>
    value === null ? [] : [...value.replace(SUBSTITUTES, '').matchAll(/\/((?:[^/\\]|\\.)+)\//g)].map(found => found[1] ?? ''),
  )
}

/** Nobody looks for a process by a longer one. */
const MAX_PATTERN = 1024

/** Read generously: a bracket expression may be any character (`[b]elay`), and groups are written in two ways. */
function mayBeOurs(pattern: string | null): boolean {
  if (pattern === null || pattern.length > MAX_PATTERN) return true
  const wide = pattern.replace(/\[\^?\]?(?:\[:\w+:\]|[^\]])*\]/g, '.')
  return [wide, wide.replace(/\\([(){}|+?])/g, '$1')].some(text => [...HUNTED, ...OWN_LINES, ...AGENT_LINES].some(searchPattern(text)))
}
