// Requests that wait for a person. The exact input is only kept as a keyed hash; what people read is the redacted one.
import type { Generated } from 'kysely'

export type ApprovalState = 'pending' | 'allowed' | 'denied' | 'expired' | 'used'

export interface ApprovalTable {
  id: string
  state: ApprovalState
  /** call: one tool call asked; gate: a commitment waits at Stop. */
  kind: 'call' | 'gate'
  actor: string
  agent_id: string | null
  session: string | null
  commitment: string | null
  tool: string | null
  input: string
  input_hash: string
  reason: string
  rule: string | null
  approvers: Generated<string>
  created_at: string
  expires_at: string
  decided_at: string | null
  decided_by: string | null
  note: string | null
}
