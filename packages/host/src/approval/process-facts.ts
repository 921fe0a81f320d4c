// What the system knows about a process: from /proc where there is one, else from ps.
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'

export interface ProcessFacts {
  readonly pid: number
  /** 0: it was started from outside of what can be seen here. */
  readonly parent: number
  readonly name: string
  readonly command: readonly string[]
  /** Session id; null: the system does not say. */
  readonly session: number | null
  readonly hasTerminal: boolean
  /** A program made its terminal, as `script` does; false: it is one of the machine's own, or the system does not say. */
  readonly isPseudo: boolean
  readonly uid: number
  /** With the pid it names one process for ever. */
  readonly started: string
  /** Path of the program; null: not shown to us. */
  readonly program: string | null
}

/** null: there is no such process, or it is not shown. */
export function readProcess(pid: number, platform: string = process.platform): ProcessFacts | null {
  return platform === 'linux' ? readProc(pid) : readPs(pid)
}

export function listProcesses(platform: string = process.platform): readonly number[] {
  const names = platform === 'linux' ? readdirSync('/proc') : (ps(['-A', '-o', 'pid=']) ?? '').split('\n').map(line => line.trim())
  return names.filter(name => /^\d+$/.test(name)).map(Number)
}

/** Variables that a process was started with, which nothing it runs can change. null where the system does not show them. */
export function readEnvironment(pid: number): Readonly<Record<string, string>> | null {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return Object.fromEntries(
      pairs.filter(pair => pair.includes('=')).map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    )
  } catch {
    return null
  }
}

/** Milliseconds of the wall clock; null where the system does not say. */
export function readStartTime({ started }: ProcessFacts, platform: string = process.platform): number | null {
  if (platform !== 'linux') return Date.parse(started) || null
  const booted = readBootTime(platform)
  return booted === 0 ? null : booted + Number(started) * TICK_MS
}

/** 0 where the system does not say. */
export function readBootTime(platform: string = process.platform): number {
  if (platform !== 'linux') return 0
  try {
    return Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 0) * 1000
  } catch {
    return 0
  }
}

/** Of the times in /proc. */
const TICK_MS = 10

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Places in what follows the name in /proc/PID/stat. */
const PARENT = 1
const SESSION = 3
const TERMINAL = 4
const STARTED = 19
/** Major numbers of /dev/pts. */
const PSEUDO_TERMINALS = new Set([136, 137, 138, 139, 140, 141, 142, 143])

function readProc(pid: number): ProcessFacts | null {
  try {
    return {
      pid,
      ...parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8')),
      command: splitWords(readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
      uid: statSync(`/proc/${pid}`).uid,
      program: readProgram(pid),
    }
  } catch {
    return null
  }
}

/** Text of /proc/PID/stat. */
export function parseStat(stat: string): Pick<ProcessFacts, 'parent' | 'name' | 'session' | 'hasTerminal' | 'isPseudo' | 'started'> {
  // The name in brackets may hold anything, brackets too.
  const end = stat.lastIndexOf(')')
  const fields = stat
    .slice(end + 1)
    .trim()
    .split(' ')
  return {
    parent: Number(fields[PARENT]),
    name: stat.slice(stat.indexOf('(') + 1, end),
    session: Number(fields[SESSION]),
    hasTerminal: fields[TERMINAL] !== '0',
    isPseudo: PSEUDO_TERMINALS.has((Number(fields[TERMINAL]) >> 8) & 0xfff),
    started: fields[STARTED] ?? '',
  }
}

/** Text of /proc/PID/cmdline. */
export function splitWords(line: string): readonly string[] {
  return line.split('\0').filter(word => word !== '')
}

function readProgram(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`)
  } catch {
    return null
  }
}

function readPs(pid: number): ProcessFacts | null {
  const row = ps(['-o', 'ppid=,uid=,tty=,lstart=,args=', '-p', String(pid)])
  const program = ps(['-o', 'comm=', '-p', String(pid)])
  const found = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(row ?? '')
  if (found === null || program === null) return null
  const [, parent, uid, tty = '', started = '', args = ''] = found
  return {
    pid,
    parent: Number(parent),
    name: baseName(program),
    command: args.split(/\s+/),
    session: null,
    hasTerminal: !/^[?-]/.test(tty),
    isPseudo: false,
    uid: Number(uid),
    started,
    program: program.startsWith('/') ? program : null,
  }
}

function ps(args: readonly string[]): string | null {
  try {
    const env = { PATH: process.env.PATH, LC_ALL: 'C' }
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    const text = execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 2000, env }).trim()
    return text === '' ? null : text
  } catch {
    return null
  }
}
