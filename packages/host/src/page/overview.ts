// Figures over time for the overview, and the thin strip on top of every page.

export interface Minute {
  /** Start of the minute, in seconds since 1970. */
  readonly at: number
  readonly allow: number
  readonly deny: number
  readonly ask: number
  readonly none: number
  readonly p50Ms: number | null
  readonly p90Ms: number | null
  readonly p99Ms: number | null
}

export interface Overview {
  /** Without holes, oldest first. */
  readonly minutes: readonly Minute[]
  readonly topDenied: readonly {
    readonly tool: string
    /** What denied, in its own words: `Bash(git push *)`, `hook NAME`, Belay's own protection. */
    readonly by: string
    /** Where that is written: `genesis.key:32`. */
    readonly place: string | null
    readonly count: number
    readonly example: string
    readonly project: string | null
    readonly seq: number
  }[]
  readonly failingHooks: readonly {
    readonly hook: string
    readonly event: string
    readonly failures: number
    readonly runs: number
    readonly error: string | null
    readonly place: string | null
  }[]
  readonly slowHooks: readonly {
    readonly hook: string
    readonly event: string
    readonly p99Ms: number
    readonly overBudget: number
    readonly place: string | null
  }[]
  /** Wired, and not heard of. */
  readonly silentAgents: readonly { readonly agent: string; readonly lastSeenAt: string | null; readonly remedy: string }[]
}

/** Somebody waits for a person. */
export interface Waiting {
  /** Of the request; null: the agent asks in its own window. */
  readonly request: string | null
  readonly agentId: string
  readonly actor: string | null
  readonly project: string | null
  readonly tool: string | null
  /** The call in one line, or why the agent wants attention. */
  readonly summary: string
  /** The line says all of the call: nothing else of it matters to a decision. */
  readonly isWhole: boolean
  readonly since: string
  /** Until when the agent waits for the answer; null: it does not. */
  readonly heldUntil: string | null
  /** Until when it can be decided; null: no end. */
  readonly expiresAt: string | null
  /** `gate`: a commitment is held, no agent. */
  readonly kind: 'held' | 'refused' | 'gate' | 'asks'
}

/** Why an agent is not guarded, or was not. */
export interface UnguardedView {
  /** `claude-code`, `codex` ...; null: all of them. */
  readonly agent: string | null
  readonly project: string | null
  readonly message: string
  readonly remedy: string | null
}

/** A call that was let through and has not ended; null as its id: tool and text name it. */
export interface RunningCall {
  readonly agentId: string
  readonly callId: string | null
  readonly tool: string
  /** As the line of its entry begins. */
  readonly text: string
}

export interface Frame {
  readonly version: string
  readonly startedAt: string
  readonly now: string
  readonly store: string
  readonly person: string
  readonly paused: { readonly until: string; readonly reason: string | null } | null
  /** The last project an agent worked in, and the others; the page starts with the first. */
  readonly projects: readonly string[]
  readonly policy: {
    readonly root: string
    readonly hash: string | null
    /** changed: somebody has to accept what it says now. */
    readonly state: 'good' | 'changed' | 'broken'
    readonly lastGoodAt: string | null
    readonly problem: string | null
  } | null
  readonly eventsPerSecond: number
  readonly p99Ms: number | null
  /** By status; `waits`: for a decision. */
  readonly agents: Readonly<Record<string, number>>
  readonly approvals: number
  /** Agents that escape the guard, by their files or by what they did. */
  readonly unguarded: readonly UnguardedView[]
  /** Whose time is shortest comes first. */
  readonly waiting: readonly Waiting[]
  readonly running: readonly RunningCall[]
  readonly records: number
  /** Of the feed; a page that opens its stream with this id misses nothing. */
  readonly lastEventId: number
}
