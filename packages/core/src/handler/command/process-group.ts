// Ending a hook with everything it started: SIGTERM to its process group, SIGKILL to what is left of it.
// A process that made a session of its own (setsid) is out of reach; nothing else is.

const GRACE_MS = 2_000
const POLL_MS = 25

const liveGroups = new Set<number>()

/** A hook is in a group of its own, so a leaving process must take its hooks along; the terminal will not. */
export function trackGroup(groupId: number): void {
  if (liveGroups.size === 0) process.on('exit', killLiveGroups)
  liveGroups.add(groupId)
}

export function forgetGroup(groupId: number): void {
  liveGroups.delete(groupId)
  if (liveGroups.size === 0) process.off('exit', killLiveGroups)
}

/** Resolves when no process of the group is left, or after the SIGKILL. */
export async function stopGroup(groupId: number, graceMs = GRACE_MS): Promise<void> {
  signalGroup(groupId, 'SIGTERM')
  for (let waited = 0; waited < graceMs; waited += POLL_MS) {
    if (!signalGroup(groupId, 0)) return
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
  signalGroup(groupId, 'SIGKILL')
}

/** False: there is no such group any more. */
function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-groupId, signal)
  } catch (error) {
    // EPERM: it exists but changed its user; out of reach, and it must not be reported as gone.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function killLiveGroups(): void {
  for (const groupId of liveGroups) signalGroup(groupId, 'SIGKILL')
}
