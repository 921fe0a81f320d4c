// Waiting for other processes.

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is there, but not ours.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
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
