// Waiting for other processes.
import { readFileSync } from 'node:fs'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !hasEnded(pid)
  } catch (error) {
    // It is there, but not ours.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** It has ended, and its parent has not looked yet: the first process of a container may never do that. */
function hasEnded(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // Nothing is shown of it, so nothing says that it ended.
    return false
  }
}

/** Looks every few milliseconds at first, then less often: what takes a tenth of a second should not be waited for twice as long. */
export async function waitUntil(isTrue: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
  const until = Date.now() + limitMs
  for (let pauseMs = 3; ; pauseMs = Math.min(pauseMs * 1.05, 200)) {
    if (await isTrue()) return true
    if (Date.now() > until) return false
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
}
