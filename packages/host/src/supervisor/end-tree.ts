// Ends an agent and everything it started: politely first, the agent before its children so that it can end them itself, then for good.
// What detached itself into a session of its own and outlived its parent stays: that is how a daemon is started, ours too.
import { hasVariable, type ProcessEntry, readProcess, readProcesses } from '@belay/core'

export interface TreeOptions {
  readonly runId: string
  /** How long a process may take to end after it was asked to. */
  readonly graceMs: number
}

const POLL_MS = 20
const ROUNDS = 5

export async function endTree(root: number, options: TreeOptions): Promise<void> {
  const known = listTree(root, options.runId)
  send(known.slice(0, 1), 'SIGTERM')
  await waitForEnd(known.slice(0, 1), options.graceMs)
  await endRest(root, known, options)
}

/** The agent has ended by itself: nothing of it stays behind. */
export async function sweepTree(root: number, options: TreeOptions): Promise<void> {
  await endRest(root, [], options)
}

async function endRest(root: number, known: readonly ProcessEntry[], { runId, graceMs }: TreeOptions): Promise<void> {
  let left = [...known, ...listTree(root, runId)].filter(isAlive)
  if (left.length === 0) return
  send(left, 'SIGTERM')
  await waitForEnd(left, graceMs)
  for (let round = 0; round < ROUNDS; round++) {
    left = [...left, ...listTree(root, runId)].filter(isAlive)
    if (left.length === 0) return
    send(left, 'SIGKILL')
    await waitForEnd(left, graceMs)
  }
}

/** The root first. Below it: its children and theirs, and what lost its parent but carries the run's id in the same terminal session. */
export function listTree(root: number, runId: string): readonly ProcessEntry[] {
  const all = readProcesses()
  const own = all.find(({ pid }) => pid === process.pid)
  const members = new Map(all.filter(({ pid }) => pid === root).map(entry => [entry.pid, entry]))
  for (const entry of all) {
    if (entry.pid === root || entry.pid === process.pid || entry.session === null || entry.session !== own?.session) continue
    if (hasVariable(entry.pid, 'BELAY_RUN_ID', runId) === true) members.set(entry.pid, entry)
  }
  for (let size = -1; size !== members.size; ) {
    size = members.size
    for (const entry of all) if (members.has(entry.parent) || entry.parent === root) members.set(entry.pid, entry)
  }
  return [...members.values()]
}

function isAlive({ pid, startedAt }: ProcessEntry): boolean {
  return readProcess(pid)?.startedAt === startedAt
}

function send(entries: readonly ProcessEntry[], signal: NodeJS.Signals): void {
  for (const { pid } of entries) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM'))) throw error
    }
  }
}

async function waitForEnd(entries: readonly ProcessEntry[], withinMs: number): Promise<void> {
  const until = performance.now() + withinMs
  while (entries.some(isAlive) && performance.now() < until) await new Promise(resolve => setTimeout(resolve, POLL_MS))
}
