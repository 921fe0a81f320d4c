// Who is served when there is more work than time. Nobody is refused below a thousand calls a second; above the limit of calls in
// progress the heaviest clients are told "not now" first, so that one that floods cannot starve another.

export interface LoadGate {
  /** A call of this client begins; null means serve it, else why not now. */
  enter(client: string): string | null
  leave(): void
  readonly inProgress: number
}

export interface LoadLimits {
  /** Calls in progress at once before anyone is refused. */
  readonly maxInProgress: number
  /** Calls a second that no client is refused below. */
  readonly fairRate: number
}

export const LOAD_LIMITS: LoadLimits = { maxInProgress: 512, fairRate: 1000 }

export function createLoadGate(limits: LoadLimits, nowMs: () => number): LoadGate {
  let inProgress = 0
  let second = 0
  let counts = new Map<string, number>()

  function count(client: string): number {
    const current = Math.floor(nowMs() / 1000)
    if (current !== second) {
      second = current
      counts = new Map()
    }
    const next = (counts.get(client) ?? 0) + 1
    counts.set(client, next)
    return next
  }

  return {
    enter(client) {
      const calls = count(client)
      if (inProgress >= limits.maxInProgress && calls > limits.fairRate) {
        return `this client made ${calls} calls within a second while the daemon was busy`
      }
      inProgress++
      return null
    },
    leave() {
      inProgress--
    },
    get inProgress() {
      return inProgress
    },
  }
}
