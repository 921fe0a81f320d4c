// What can be done to memories and commitments. Each becomes one ledger entry of the same kind; everything known of them is replayed from those.

export const OPERATIONS = [
  'capture',
  'commit',
  'claim',
  'release',
  'annotate',
  'evidence',
  'submit',
  'approve',
  'reject',
  'reopen',
  'dismiss',
  'close',
  'link',
  'triage',
] as const

export type OperationName = (typeof OPERATIONS)[number]

export function isOperation(kind: string): kind is OperationName {
  return (OPERATIONS as readonly string[]).includes(kind)
}

export const EVIDENCE_KINDS = ['build', 'test', 'pr', 'review', 'screenshot', 'custom'] as const

export interface EvidenceItem {
  readonly kind: (typeof EVIDENCE_KINDS)[number]
  readonly status: string | null
  readonly url: string | null
  readonly log: string | null
  readonly summary: string | null
}

export const TIERS = ['t1', 't2', 't3'] as const
export type Tier = (typeof TIERS)[number]

/** What somebody asks to be done. */
export interface OperationRequest {
  readonly name: OperationName
  readonly actor: string
  /** Names that merely stand in the caller's environment: what one of them may not do is refused. */
  readonly alsoAs: readonly string[]
  /** AGENT_ID, where there is one and it is the caller's. */
  readonly agentId: string | null
  readonly root: string
  /** `cmt_` or `mem_`; null where the operation makes one. */
  readonly target: string | null
  readonly text: string | null
  readonly tags: readonly string[]
  readonly tier: Tier | null
  readonly review: boolean | null
  readonly source: string | null
  readonly relation: string | null
  readonly evidence: EvidenceItem | null
}
