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

/** Looks often at first, then less. Gives whether it came true in time. */
export async function waitUntil(isTrue: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
  const until = Date.now() + limitMs
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, 200)) {
    if (await isTrue()) return true
    if (Date.now() > until) return false
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
}
