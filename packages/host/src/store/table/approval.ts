// Requests that wait for a person. The exact input is only kept as a keyed hash; what people read is the redacted one.
import type { Generated } from 'kysely'

export type ApprovalState = 'pending' | 'allowed' | 'denied' | 'expired'

export interface ApprovalTable {
  id: string
  state: ApprovalState
  /** call: one tool call asked; gate: a commitment waits at Stop. */
  kind: 'call' | 'gate'
  /** The project whose policy asked. */
  root: string
  /** `claude-code`, `codex` ... */
  agent: string
  actor: string
  agent_id: string
  session: string | null
  commitment: string | null
  tool: string | null
  input: string
  input_hash: string
  reason: string
  /** Id and place of the rule that asked. */
  rule: string | null
  /** Where the ask came from: `default`, `rule`, `hook`, `may-match`. */
  origin: string
  approvers: Generated<string>
  created_at: string
  expires_at: string
  decided_at: string | null
  decided_by: string | null
  note: string | null
  /** When the decision reached the call it was made for; a decision is used once. */
  used_at: string | null
}
