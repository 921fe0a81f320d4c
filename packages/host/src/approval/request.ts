// One request for a person's decision, and its row.
import type { Selectable } from 'kysely'
import type { ApprovalState, ApprovalTable } from '../store/table/approval.ts'

/** How long a request waits where config.toml does not say. */
export const EXPIRY_MS = 15 * 60_000

/** Of the last id: what a person types at a terminal to decide. */
export const CONFIRMED_CHARACTERS = 4

export interface ApprovalRequest {
  readonly id: string
  readonly state: ApprovalState
  readonly kind: 'call' | 'gate'
  readonly root: string
  readonly agent: string
  readonly actor: string
  readonly agentId: string
  readonly session: string | null
  readonly commitment: string | null
  readonly tool: string | null
  /** Redacted. */
  readonly input: Readonly<Record<string, unknown>>
  /** Keyed hash of the exact call. */
  readonly inputHash: string
  readonly reason: string
  readonly rule: string | null
  readonly origin: string
  /** Who may decide; empty: any person. */
  readonly approvers: readonly string[]
  readonly createdAt: string
  readonly expiresAt: string
  readonly decidedAt: string | null
  readonly decidedBy: string | null
  readonly note: string | null
  readonly usedAt: string | null
}

export interface HeldRequest extends ApprovalRequest {
  /** Until when the agent waits for it; null: it does not, it was told no. */
  readonly heldUntil: string | null
}

export function rowOf(request: ApprovalRequest): Selectable<ApprovalTable> {
  const { agentId, inputHash, createdAt, expiresAt, decidedAt, decidedBy, usedAt, input, approvers, ...same } = request
  return {
    ...same,
    agent_id: agentId,
    input: JSON.stringify(input),
    input_hash: inputHash,
    approvers: JSON.stringify(approvers),
    created_at: createdAt,
    expires_at: expiresAt,
    decided_at: decidedAt,
    decided_by: decidedBy,
    used_at: usedAt,
  }
}

export function requestOf(row: Selectable<ApprovalTable>): ApprovalRequest {
  const { agent_id, input, input_hash, approvers, created_at, expires_at, decided_at, decided_by, used_at, ...same } = row
  return {
    ...same,
    agentId: agent_id,
    input: JSON.parse(input) as ApprovalRequest['input'],
    inputHash: input_hash,
    approvers: JSON.parse(approvers) as readonly string[],
    createdAt: created_at,
    expiresAt: expires_at,
    decidedAt: decided_at,
    decidedBy: decided_by,
    usedAt: used_at,
  }
}
