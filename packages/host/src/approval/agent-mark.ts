// Agents are marked, so that what they leave behind is known for theirs. The mark is a limit of the kernel on file locks, which no kernel has
// used since 2.4.25: lowering it changes nothing. What an agent starts inherits it and cannot raise it again, whatever it does with its
// parents, its session, its environment or its namespaces. Linux only.
import { existsSync, readFileSync } from 'node:fs'
import { findAgent, listChain } from './process-ancestry.ts'
import { listProcesses, parseStat, readProcess, splitWords } from './process-facts.ts'

/** So high that no limit which somebody means is near it, so low that it is not "unlimited". */
const MARK = 2 ** 52

/** Whether an agent started this process, or is it. */
export function isMarked(pid: number): boolean {
  try {
    return readMark(readFileSync(`/proc/${pid}/limits`, 'utf8'))
  } catch {
    return false
  }
}

/** Somebody may lower it further. */
function readMark(limits: string): boolean {
  const hard = /^Max file locks\s+\S+\s+(\d+)/m.exec(limits)?.[1]
  return hard !== undefined && Number(hard) <= MARK
}

/** Why a process without a mark may be an agent's all the same; null: it is not one's. */
export function whyMarksFail(): string | null {
  if (findProgram() === null) return 'there is no prlimit on this system to mark agents with'
  return canRaiseLimits() ? 'processes may raise their limits here (CAP_SYS_RESOURCE)' : null
}

/** With this right a process can take the mark off. It counts in the first user namespace only. */
function canRaiseLimits(): boolean {
  try {
    const isFirst = /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'utf8'))
    const permitted = /^CapPrm:\s*([\da-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
    return isFirst && (BigInt(`0x${permitted || 'f'}`) & SYS_RESOURCE) !== 0n
  } catch {
    return true
  }
}

const SYS_RESOURCE = 1n << 24n

function findProgram(): string | null {
  return ['/usr/bin/prlimit', '/bin/prlimit'].find(path => existsSync(path)) ?? null
}

interface Seen {
  readonly pid: number
  readonly parent: number
  readonly isAgent: boolean
}

/** Marks every agent that runs, with all that it has started. What they start meanwhile is found by looking again. */
export async function markAgents(): Promise<void> {
  const program = process.platform === 'linux' ? findProgram() : null
  if (program === null) return
  const tried = new Set<number>()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const unmarked = findTheirs().filter(pid => !tried.has(pid) && !isMarked(pid))
    if (unmarked.length === 0) return
    for (const pid of unmarked) tried.add(pid)
    await Promise.all(unmarked.map(pid => mark(program, pid)))
  }
}

const MAX_ROUNDS = 3

/**
 * For a client that is alone, once for every call: where the agent above it is marked already, with all that it starts, nobody else is looked
 * for, and neither where no agent that we know is above it: those of others are marked by their own calls. Reading every process of the machine
 * takes longer than judging.
 */
export async function markCaller(parent: number = process.ppid, markAll: () => Promise<void> = markAgents): Promise<void> {
  if (hasUnmarkedAgent(parent)) await markAll()
}

/** Whether the nearest agent from this process upwards has no mark yet. */
function hasUnmarkedAgent(pid: number): boolean {
  if (process.platform !== 'linux') return false
  const found = findAgent(listChain(pid, one => readProcess(one)))
  return found !== null && !isMarked(found.process.pid)
}

/** The processes of all agents. */
function findTheirs(): readonly number[] {
  const seen = listProcesses()
    .map(look)
    .filter(each => each !== null)
  const theirs = new Set(seen.filter(({ isAgent }) => isAgent).map(({ pid }) => pid))
  // A parent may have a higher number than its child.
  for (let known = -1; known !== theirs.size; ) {
    known = theirs.size
    for (const { pid, parent } of seen) if (theirs.has(parent)) theirs.add(pid)
  }
  return [...theirs]
}

/** At once and not beside other work: the files of /proc are no real ones, and handing each to a thread takes six times as long. */
function look(pid: number): Seen | null {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    // A thread of the kernel, or one that has ended: half of what is there, and never an agent. A program that blanks its line leaves zeros.
    if (line === '') return null
    const { name, parent } = parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    const command = splitWords(line)
    return { pid, parent, isAgent: findAgent([{ pid, name, command }]) !== null }
  } catch {
    // It has ended meanwhile.
    return null
  }
}

/** One that has ended, or belongs to somebody else, stays as it is. */
function mark(program: string, pid: number): Promise<void> {
  return new Promise(resolve => {
    // Loaded only here: most calls find their agent marked.
    const { execFile } = process.getBuiltinModule('node:child_process')
    execFile(program, ['--pid', String(pid), `--locks=${MARK}:${MARK}`], { timeout: 2000 }, () => resolve())
  })
}

/** Sessions that are remembered. */
const MAX_SESSIONS = 10_000
/** A session that goes on may have another agent's process by now. */
const AGAIN_MS = 10_000

export interface AgentMarkOptions {
  /** A clock that nobody sets. */
  readonly now: () => number
  readonly markAll?: () => Promise<void>
}

export interface AgentMarks {
  /** Resolves when the agent of this call is marked; null: there is nothing to wait for. */
  beforeCall(session: string, isStart: boolean): Promise<void> | null
}

/** The first call of a session is answered when its agent is marked: nothing that the agent runs is older. */
export function createAgentMarks({ now, markAll = markAgents }: AgentMarkOptions): AgentMarks {
  const sessions = new Map<string, Promise<void> | null>()
  let next: Promise<void> | null = null
  let running: Promise<void> = Promise.resolve()
  let lookedAt = Number.NEGATIVE_INFINITY

  /** Whoever comes while processes are being read waits for the next reading, and shares it with all who wait. */
  function lookAgain(): Promise<void> {
    lookedAt = now()
    next ??= running.then(() => {
      next = null
      running = markAll().catch(() => undefined)
      return running
    })
    return next
  }

  function begin(session: string): Promise<void> {
    if (sessions.size >= MAX_SESSIONS) sessions.delete(sessions.keys().next().value ?? '')
    const marked = lookAgain().then(() => {
      if (sessions.get(session) === marked) sessions.set(session, null)
    })
    sessions.set(session, marked)
    return marked
  }

  return {
    beforeCall(session, isStart) {
      const known = sessions.get(session)
      return known === undefined || isStart || now() - lookedAt > AGAIN_MS ? begin(session) : known
    },
  }
}
