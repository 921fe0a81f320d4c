// Waits for a process and then for its output. A grandchild that holds the pipes open must not hold the answer up.
import type { HookProcess } from './spawn-group.ts'

export interface ExitStatus {
  readonly exitCode: number | null
  readonly signal: string | null
}

export interface ExitWatch {
  readonly exited: Promise<ExitStatus>
  /** Call after the exit: resolves when all that the process itself wrote has been read. */
  drain(byteCount: () => number): Promise<void>
}

const IDLE_MS = 50
const MAX_DRAIN_MS = 1_000

export function watchExit(child: HookProcess): ExitWatch {
  const exited = new Promise<ExitStatus>(resolve => child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })))
  const closed = new Promise<'closed'>(resolve => child.once('close', () => resolve('closed')))
  return { exited, drain: byteCount => drainOutput(child, closed, byteCount) }
}

async function drainOutput(child: HookProcess, closed: Promise<'closed'>, byteCount: () => number): Promise<void> {
  for (let waited = 0; waited < MAX_DRAIN_MS; waited += IDLE_MS) {
    const before = byteCount()
    const idle = startIdle()
    const first = await Promise.race([closed, idle.passed])
    idle.clear()
    if (first === 'closed') return
    if (byteCount() === before) break
  }
  child.stdout.destroy()
  child.stderr.destroy()
}

/** A timer alone can fire before waiting data has been read, when the loop was busy; an immediate after it cannot. */
function startIdle(): { readonly passed: Promise<'idle'>; clear(): void } {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<'idle'>(resolve => {
    timer = setTimeout(() => setImmediate(() => resolve('idle')), IDLE_MS)
  })
  return { passed, clear: () => clearTimeout(timer) }
}
