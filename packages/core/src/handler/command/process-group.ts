// Ending a hook with everything it started: SIGTERM to its process group and to what left it, SIGKILL to what is left of them.
// A child in a session of its own (setsid) is found by its parents, one that lost them too (setsid -f) by the variable that it inherited.
// Out of reach is only what did both and cleaned its environment, runs as another user, or was started by somebody else (at, systemd-run).
import { randomUUID } from 'node:crypto'
import { hasVariable, type ProcessEntry, readProcess, readProcesses } from './process-table.ts'

/** Of every process of one run of a hook. */
export const MARK_VARIABLE = 'HOOK_RUN_ID'

export interface HookGroup {
  /** Pid of the hook, and number of its process group. */
  readonly id: number
  readonly mark: string
}

const GRACE_MS = 2_000
const POLL_MS = 25
/** A process may start another one in the moment in which it is ended. */
const ROUNDS = 5

const liveGroups = new Set<HookGroup>()

export function createMark(): string {
  return randomUUID()
}

/** A hook is in a group of its own, so a leaving process must take its hooks along; the terminal will not. */
export function trackGroup(group: HookGroup): void {
  if (liveGroups.size === 0) process.on('exit', killLiveGroups)
  liveGroups.add(group)
}

export function forgetGroup(group: HookGroup): void {
  liveGroups.delete(group)
  if (liveGroups.size === 0) process.off('exit', killLiveGroups)
}

/** Resolves when no process of the hook is left, or after the last SIGKILL. */
export async function stopGroup(group: HookGroup, graceMs = GRACE_MS): Promise<void> {
  // Before the first signal: who dies can no longer say whose parent it was.
  let known = listMembers(group, [])
  send(group, known, 'SIGTERM')
  await waitForEnd(group, known, graceMs)
  for (let round = 0; round < ROUNDS; round++) {
    known = listMembers(group, known)
    if (known.length === 0 && !signalGroup(group, 0)) return
    send(group, known, 'SIGKILL')
    await waitForEnd(group, known, POLL_MS * 2)
  }
}

async function waitForEnd(group: HookGroup, members: readonly ProcessEntry[], withinMs: number): Promise<void> {
  for (let waited = 0; waited < withinMs; waited += POLL_MS) {
    if (!signalGroup(group, 0) && !members.some(isAlive)) return
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
}

/** The hook, what it started and what those started, as far as they live; `known`: who was among them before. */
function listMembers({ id, mark }: HookGroup, known: readonly ProcessEntry[]): readonly ProcessEntry[] {
  const all = readProcesses().filter(({ pid }) => pid !== process.pid)
  const members = new Map(known.filter(isAlive).map(entry => [entry.pid, entry]))
  for (const entry of all) {
    if (entry.pid === id || hasVariable(entry.pid, MARK_VARIABLE, mark) === true) members.set(entry.pid, entry)
  }
  for (let size = -1; size !== members.size; ) {
    size = members.size
    for (const entry of all) if (members.has(entry.parent)) members.set(entry.pid, entry)
  }
  return [...members.values()]
}

function isAlive({ pid, startedAt }: ProcessEntry): boolean {
  return readProcess(pid)?.startedAt === startedAt
}

function send(group: HookGroup, members: readonly ProcessEntry[], signal: NodeJS.Signals): void {
  signalGroup(group, signal)
  for (const { pid } of members) trySignal(pid, signal)
}

/** False: there is no such group any more. */
function signalGroup({ id }: HookGroup, signal: NodeJS.Signals | 0): boolean {
  return trySignal(-id, signal)
}

function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    // EPERM: it exists but changed its user; out of reach, and it must not be reported as gone.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function killLiveGroups(): void {
  for (const group of liveGroups) send(group, listMembers(group, []), 'SIGKILL')
}
