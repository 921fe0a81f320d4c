// What `belay doctor` found about one thing, and what to do about it.
export interface Finding {
  /** The agent it is about; null: all of them. */
  readonly agent: string | null
  readonly check: string
  readonly state: 'ok' | 'note' | 'warn' | 'fail'
  readonly message: string
  readonly remedy?: string
}
