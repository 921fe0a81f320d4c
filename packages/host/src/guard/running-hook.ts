/** A hook that runs now, as `belay hooks running`, the stream (`hook`) and the page show it. */
export interface RunningHook {
  readonly id: string
  readonly hook: string
  readonly scope: string
  readonly handler: string
  /** file:line. */
  readonly place: string | null
  readonly event: string
  readonly tool: string | null
  readonly agent: string
  readonly agentId: string | null
  readonly session: string
  readonly root: string | null
  /** What the hook wants shown meanwhile (`status_message`). */
  readonly status: string | null
  /** The last that it told of itself. */
  readonly progress: string | null
  /** ISO 8601. */
  readonly startedAt: string
  /** Nobody waits for it. */
  readonly isAsync: boolean
}

/** What the stream tells of one: while it runs and, at last, how it ended. */
export interface HookProgress extends RunningHook {
  readonly state: 'running' | 'ended' | 'failed' | 'timeout' | 'aborted' | 'stopped'
}
