/** A request for a person as the team sees it: redacted, and without the hash of the exact call, which stays on the machine. */
export interface SharedApproval {
  readonly id: string
  readonly state: 'pending' | 'allowed' | 'denied' | 'expired'
  /** Agent, actor, tool, input, reason, rule, root, session. */
  readonly facts: Readonly<Record<string, unknown>>
  /** The person of the machine. */
  readonly requester: string
  readonly approvers: readonly string[]
  /** Until it ends, by the machine's own clock that nobody sets. */
  readonly leftMs: number
  readonly decidedBy: string | null
  readonly note: string | null
}
