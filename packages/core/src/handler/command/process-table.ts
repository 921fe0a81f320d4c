// Which processes there are and who started them. Linux says so in /proc; elsewhere `ps` does.
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  /** The terminal session; a process that detaches itself on purpose has one of its own. null: not known here. */
  readonly session: number | null
  /** With the pid it names one process for good: pids are used again. */
  readonly startedAt: string
}

export function readProcesses(): readonly ProcessEntry[] {
  return process.platform === 'linux' ? readProc() : readPs()
}

export function readProcess(pid: number): ProcessEntry | null {
  if (process.platform === 'linux') return readStat(pid)
  return readPs().find(entry => entry.pid === pid) ?? null
}

/** Whether a process was started with this variable; null: not known here. */
export function hasVariable(pid: number, name: string, value: string): boolean | null {
  if (process.platform !== 'linux') return null
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}`.includes(`\0${name}=${value}\0`)
  } catch {
    return null
  }
}

function readProc(): readonly ProcessEntry[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => readStat(Number(name)) ?? [])
}

/** null: it is gone, or dead and only waits to be collected. */
function readStat(pid: number): ProcessEntry | null {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
  // The name stands in parentheses and may hold anything, parentheses too.
  const [state, parent, , session, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (state === 'Z' || state === 'X') return null
  return { pid, parent: Number(parent), session: Number(session), startedAt: rest[15] ?? '' }
}

function readPs(): readonly ProcessEntry[] {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,state=,lstart='], { encoding: 'utf8' })
  return (stdout ?? '').split('\n').flatMap(line => {
    const [, pid, parent, state, startedAt] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (pid === undefined || state?.startsWith('Z')) return []
    return [{ pid: Number(pid), parent: Number(parent), session: null, startedAt: startedAt ?? '' }]
  })
}
