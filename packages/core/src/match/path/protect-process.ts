// Self-protection of Belay's processes: who ends one, stops its service, reads or changes its memory, or looks one up to do so. What is running is read where the
// daemon writes it down; where nobody knows, a process is told by the command lines that Belay has.
import type { Word } from '../shell/shell-analysis.ts'
import { AGENT_LINES, AGENT_PROGRAMS, agentOf } from './agent-program.ts'
import { isOwnChild, OWN_LINES, OWN_NAMES } from './hunted-process.ts'
import { findAgentProcess, findOurs, OWN_WORD, type ProcessContext, readDaemon, readProcess } from './own-process.ts'
import type { Protection } from './protect-path.ts'
import { protectService } from './protect-service.ts'
import { searchPattern } from './search-pattern.ts'

const FINDERS: ReadonlySet<string> = new Set(['pgrep', 'pidof'])
const KILLERS: ReadonlySet<string> = new Set(['pkill', 'killall', 'killall5', 'kill', 'skill', 'snice', 'fuser', 'xkill'])
/** Options that are followed by a value: of pkill and pgrep, and of the others. */
const VALUED_PATTERN = /^-[uUGgPstFdrqO]$/
const VALUED = /^-[usoynZ]$/
/** Options by which processes are chosen without a name: alone they choose all that the user, the session or the system has. */
const SELECTORS = ['euid', 'uid', 'user', 'group', 'pgroup', 'session', 'terminal', 'older', 'runstates', 'cgroup', 'ns', 'env']
const VALUED_NAMES = [
  ...SELECTORS,
  ...['signal', 'parent', 'pidfile', 'nslist', 'queue', 'delimiter', 'context', 'older-than', 'younger-than'],
]
/** Whoever attaches to a process reads its keys, and may change what it says. */
const TRACERS =
  /^(?:gdb(?:server)?|lldb(?:-server)?|gcore|strace|ltrace|perf|bpftrace|py-spy|jattach|rr|reptyr|criu|nsenter|node-inspect|dlv|frida(?:-trace)?|x64dbg)$/
const ATTACHING = /^(?:-[a-z]*p|--pid|--(?:multi-)?attach|--target|-t|attach)(?:=|$)/
/** They slow a process down, take its processors or its limits away: calls then time out. */
const HOLDERS = /^(?:renice|ionice|chrt|taskset|prlimit|cpulimit|schedtool|uclampset|choom)$/
/** Programs that find or end whoever has a port. */
const PORT_FINDERS = /^(?:lsof|ss|netstat|kill-port|fkill|killport)$/
/** They end processes by number or by name, each in its own way. */
const ENDERS = /^(?:fkill(?:-cli)?|start-stop-daemon|killproc|rkill)$/
/** One look tells for most programs that they are none of these. */
const WATCHED = new RegExp([TRACERS, HOLDERS, PORT_FINDERS, ENDERS, /^node/].map(({ source }) => source).join('|'))

export function protectProcess(program: string, words: readonly Word[], context: ProcessContext): Protection | null {
  const service = protectService(program, words, context)
  if (service !== null) return service
  if (!WATCHED.test(program) && !FINDERS.has(program) && !KILLERS.has(program)) return null
  if (TRACERS.test(program) || (/^node(?:js)?$/.test(program) && words[1]?.value === 'inspect'))
    return protectTraced(program, words, context)
  if (HOLDERS.test(program)) return protectHeld(program, words, context)
  if (PORT_FINDERS.test(program) || ENDERS.test(program))
    return (ENDERS.test(program) ? protectEnded(program, words, context) : null) ?? protectPort(words, context)
  if (FINDERS.has(program)) {
    return matchesOurs(program, words, context) ? { decision: 'ask', reason: "looks for processes that may be Belay's" } : null
  }
  if (!KILLERS.has(program)) return null
  if (words.slice(1).some(word => OWN_WORD.test(word.value ?? '')))
    return { decision: 'deny', reason: "agents may not end Belay's process" }
  if (program === 'killall5') return { decision: 'ask', reason: "killall5 ends every process, Belay's among them" }
  if (program === 'kill' || program === 'skill' || program === 'snice') return protectNumbers(program, words, context)
  if (program === 'fuser') return protectUsers(words, context)
  return matchesOurs(program, words, context) ? { decision: 'ask', reason: `${program} may end Belay's process, or an agent's` } : null
}

/** Whether a command ends processes that are known only when it runs. */
export function endsUnknown(program: string, words: readonly Word[], isGivenMore: boolean): boolean {
  return (program === 'kill' || program === 'skill') && (isGivenMore || words.some(word => word.value === null))
}

/** A word by which somebody looks for Belay's processes among others (`ps aux | grep node`). */
export function looksForOurs(word: Word): boolean {
  return word.value !== null && (OWN_WORD.test(word.value) || NODE.test(word.value) || agentOf(word.value) !== undefined)
}

const NODE = /^(?:\^|\[?n\]?)?(?:node|nodejs)$/
/** `fkill 12`, `start-stop-daemon --stop --name node`. */
function protectEnded(program: string, words: readonly Word[], context: ProcessContext): Protection | null {
  const values = words.slice(1).map(word => word.value ?? '')
  const numbers = values.flatMap(value => (/^\d+$/.test(value) ? [Number(value)] : []))
  const ours = findOurs(numbers, context)
  if (ours !== undefined) return { decision: 'deny', reason: `process ${ours} is Belay's; agents may not end it` }
  const agent = protectAgents(numbers, context)
  if (agent !== null) return agent
  const isNamed = values.some(value => OWN_WORD.test(value) || OWN_NAMES.includes(baseName(value)) || agentOf(value) !== undefined)
  return isNamed ? { decision: 'ask', reason: `${program} may end Belay's process` } : null
}

/** Chosen by user or by group, not by number. */
const HELD_TOGETHER: ReadonlyMap<string, RegExp> = new Map([
  ['renice', /^(?:-[a-zA-Z]*[ug]|--(?:user|pgrp))/],
  ['ionice', /^(?:-[a-zA-Z]*[uP]|--(?:uid|pgid))/],
])

/** `renice 19 12`, `prlimit --pid=12 --nofile=0`, `renice 19 -u root`. What they start instead (`taskset 1 make`) has no number of ours. */
function protectHeld(program: string, words: readonly Word[], context: ProcessContext): Protection | null {
  if (words.some(({ value }) => HELD_TOGETHER.get(program)?.test(value ?? '')))
    return { decision: 'ask', reason: `${program} slows down all processes of a user or a group, Belay's may be among them` }
  const named = program === 'cpulimit' ? limitedName(words) : undefined
  if (named === null || (named !== undefined && (OWN_NAMES.includes(baseName(named)) || OWN_WORD.test(named))))
    return { decision: 'ask', reason: `cpulimit may slow down Belay's process` }
  const numbers = words.slice(1).flatMap(({ value }) => [...(value ?? '').matchAll(/\d+/g)].map(([number]) => Number(number)))
  const ours = findOurs(
    numbers.filter(number => number > 1),
    context,
  )
  if (ours !== undefined) return { decision: 'ask', reason: `process ${ours} is Belay's; to slow it down or limit it needs a person` }
  return protectAgents(numbers, context)
}

/** By its number; where the line says how the number is found, reckoned-number.ts follows it. */
function protectAgents(numbers: readonly number[], context: ProcessContext): Protection | null {
  const agent = findAgentProcess(numbers, context)
  return agent === undefined ? null : { decision: 'ask', reason: `process ${agent} is an agent that Belay guards; this needs a person` }
}

/** `cpulimit -e node`, `--exe=node`, `-P /usr/bin/node`; null: known only when it runs. */
function limitedName(words: readonly Word[]): string | null | undefined {
  const at = words.findIndex(({ value }) => /^(?:-[eP]|--(?:exe|path))/.test(value ?? ''))
  if (at === -1) return undefined
  const beside = (words[at]?.value ?? '').replace(/^(?:-[eP]|--(?:exe|path))=?/, '')
  return beside === '' ? (words[at + 1]?.value ?? null) : beside
}

/** `strace -p 12`, `gcore 12`, `perf record --pid=12`. */
function protectTraced(program: string, words: readonly Word[], context: ProcessContext): Protection | null {
  const values = words.slice(1).map(word => word.value)
  const numbers = values.flatMap(value => [...(value ?? '').matchAll(/\d+/g)].map(([number]) => Number(number)))
  const ours = findOurs(numbers, context)
  if (ours !== undefined) return { decision: 'deny', reason: `process ${ours} is Belay's; agents may not look into it` }
  const agent = protectAgents(numbers, context)
  if (agent !== null) return agent
  const isUnknown = values.includes(null) && (program === 'gcore' || values.some(value => value !== null && ATTACHING.test(value)))
  return isUnknown ? { decision: 'ask', reason: `${program} may look into Belay's process` } : null
}

const OPENS_DEBUGGER = /USR1$|^-?10$/i

/** `kill 12`, `kill -- -12`, `kill -9 -1`. The first word with a dash is the signal. */
function protectNumbers(program: string, words: readonly Word[], context: ProcessContext): Protection | null {
  const values = words.slice(1).map(word => word.value ?? '')
  if (values[0] === '-l' || values[0] === '-L') return null
  const from = /^-(?:[A-Z0-9]+|s|n)$/i.test(values[0] ?? '') ? (/^-[sn]$/.test(values[0] ?? '') ? 2 : 1) : 0
  const targets = values.slice(from)
  if (targets.some(value => /^-?0$/.test(value)) && OPENS_DEBUGGER.test(values[from - 1] ?? ''))
    return { decision: 'ask', reason: "this signal opens a debugger in each process of Node in its group, the agent's may be one" }
  if (targets.includes('-1')) return { decision: 'ask', reason: "kill -1 ends every process, Belay's among them" }
  // They take names of programs too.
  if (program !== 'kill' && targets.some(value => OWN_NAMES.includes(value) || agentOf(value) !== undefined))
    return { decision: 'ask', reason: `${program} may end Belay's process` }
  if (program !== 'kill' && values.some(value => /^-[a-zA-Z]*[utc]$/.test(value)))
    return { decision: 'ask', reason: `${program} may end Belay's process` }
  const numbers = targets.filter(value => /^-?\d+$/.test(value)).map(Number)
  const ours = findOurs(numbers.map(Math.abs), context)
  if (ours !== undefined) return { decision: 'deny', reason: `process ${ours} is Belay's; agents may not end it` }
  const agent = values[0] === '-0' ? null : protectAgents(numbers.map(Math.abs), context)
  if (agent !== null) return agent
  const { pid } = numbers.some(number => number < 0) ? readDaemon(context) : { pid: null }
  const group = pid === null ? null : (readProcess(pid, context)?.group ?? null)
  return group !== null && numbers.includes(-group)
    ? { decision: 'deny', reason: `process group ${group} is Belay's; agents may not end it` }
    : null
}

/** `fuser -k 3000/tcp`, `fuser -km /home`: who has a port, a file, or anything of a disk open. */
function protectUsers(words: readonly Word[], context: ProcessContext): Protection | null {
  const has = (option: RegExp): boolean => words.some(word => option.test(word.value ?? ''))
  if (!has(/^-\w*k|^--kill$/)) return null
  if (has(/^-\w*[mMc]|^--(?:mount|ismountpoint)$/))
    return { decision: 'ask', reason: "fuser -m ends whoever uses a disk, Belay's process too" }
  return protectPort(words, context)
}

function protectPort(words: readonly Word[], context: ProcessContext): Protection | null {
  const { port } = readDaemon(context)
  const isOurs = port !== null && words.slice(1).some(word => (word.value ?? '').split(/\D+/).includes(String(port)))
  return isOurs ? { decision: 'ask', reason: `port ${port} is Belay's` } : null
}

/** pkill takes one; more are not read. */
const MAX_PATTERNS = 8

function matchesOurs(program: string, words: readonly Word[], context: ProcessContext): boolean {
  const { patterns, isWhole, selects, isTurned } = readSelection(words, /^p(?:kill|grep)$/.test(program) ? VALUED_PATTERN : VALUED)
  if (patterns.some(word => word.value === null)) return true
  const texts = patterns.map(word => word.value ?? '')
  if (texts.length === 0) return selects || hasUnknownParent(words)
  if (isTurned) return true
  // To look for an agent is free.
  const agents = FINDERS.has(program) ? [] : isWhole ? [...AGENT_PROGRAMS, ...AGENT_LINES] : AGENT_PROGRAMS
  const known = [...agents, ...(isWhole ? [...OWN_LINES, ...runningLine(context)] : OWN_NAMES)]
  const isRegex = program === 'pkill' || program === 'pgrep' || words.some(word => word.value === '-r' || word.value === '--regexp')
  if (!isRegex) return texts.some(text => known.includes(baseName(text)))
  return texts.length > MAX_PATTERNS || texts.some(text => known.some(searchPattern(text)))
}

/**
 * `pkill -P 1` ends the daemon, and with the number of the agent the shell of a hook line: both have that parent. What the command itself has
 * started it may end (`pkill -P $$`).
 */
function hasUnknownParent(words: readonly Word[]): boolean {
  const at = words.findIndex(word => PARENT.test(word.value ?? word.source))
  return at !== -1 && !isOwnChild(words, at, PARENT)
}

const PARENT = /^(?:-[a-zA-Z]*P|--parent(?:=|$))/

interface Selection {
  readonly patterns: readonly Word[]
  /** `-f`: the whole command line counts. */
  readonly isWhole: boolean
  /** By user, session, group, age and the like: without a name that is everything. */
  readonly selects: boolean
  readonly isTurned: boolean
}

function readSelection(words: readonly Word[], valued: RegExp): Selection {
  const patterns: Word[] = []
  const options: string[] = []
  for (let at = 1; at < words.length; at++) {
    const word = words[at] as Word
    const value = word.value ?? ''
    if (!value.startsWith('-') || value === '-' || options.includes('--')) {
      patterns.push(word)
      continue
    }
    options.push(value)
    if (valued.test(value) || (!value.includes('=') && beginsName(value, VALUED_NAMES))) at += 1
  }
  const has = (pattern: RegExp): boolean => options.some(option => pattern.test(option))
  return {
    patterns,
    isWhole: has(/^-[a-zA-Z]*f|^--full$/),
    selects: has(/^-[a-zA-Z]*[uUGgstrO]/) || options.some(option => beginsName(option, SELECTORS)),
    isTurned: has(/^-[a-zA-Z]*v|^--inverse$/),
  }
}

/** A beginning of a long name is enough for these programs: `--sess=0`. */
function beginsName(option: string, names: readonly string[]): boolean {
  const begin = /^--(\w[\w-]*)/.exec(option)?.[1]
  return begin !== undefined && names.some(name => name.startsWith(begin))
}

function runningLine(context: ProcessContext): string[] {
  const { pid } = readDaemon(context)
  const line = pid === null ? null : context.files.text(`/proc/${pid}/cmdline`)
  return line === null ? [] : [line.replaceAll('\0', ' ').trim()]
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
