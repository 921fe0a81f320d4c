// The state of all memories and commitments, folded from ledger entries in order. Pure: the same entries give the same board.
import { isOperation, type OperationName, TIERS, type Tier } from './operation.ts'

export const STATES = ['open', 'claimed', 'in_review', 'closed'] as const
export type CommitmentState = (typeof STATES)[number]

export interface Commitment {
  readonly id: string
  readonly title: string
  readonly root: string
  readonly state: CommitmentState
  readonly tier: Tier | null
  readonly requiresReview: boolean
  readonly tags: readonly string[]
  readonly source: string | null
  readonly createdBy: string
  readonly createdAt: string
  readonly claimedBy: string | null
  readonly claimedAgent: string | null
  /** Everyone who ever claimed it, as actor or agent id: none of them may review it. */
  readonly doers: readonly string[]
  readonly evidence: number
  /** Evidence of kind build or test that passed. */
  readonly validations: number
  readonly resolution: 'approved' | 'auto' | 'closed' | 'dismissed' | null
  readonly closedAt: string | null
  /** Until when an automatic close may be undone; null: always, 'never': not at all. */
  readonly reopenUntil: string | null
  readonly updatedAt: string
}

export interface Memory {
  readonly id: string
  readonly text: string
  readonly root: string
  readonly tags: readonly string[]
  readonly createdBy: string
  readonly createdAt: string
  readonly dismissed: boolean
}

export interface Board {
  readonly commitments: Map<string, Commitment>
  readonly memories: Map<string, Memory>
}

/** An entry as the board reads it; `time` may be that of an imported record. */
export interface OperationEntry {
  readonly kind: string
  readonly actor: string
  readonly time: string
  readonly body: Readonly<Record<string, unknown>>
}

export function createBoard(): Board {
  return { commitments: new Map(), memories: new Map() }
}

/** Entries that mean nothing here are passed over: the ledger holds them all the same. */
export function applyEntry(board: Board, entry: OperationEntry): void {
  if (!isOperation(entry.kind)) return
  const { body } = entry
  if (entry.kind === 'capture') capture(board, entry)
  if (entry.kind === 'commit') commit(board, entry)
  if (entry.kind === 'dismiss' && typeof body.memory === 'string') dismissMemory(board, body.memory)
  const commitment = typeof body.commitment === 'string' ? board.commitments.get(body.commitment) : undefined
  if (commitment === undefined) return
  const change = CHANGES[entry.kind]?.(commitment, entry)
  if (change !== undefined) board.commitments.set(commitment.id, { ...commitment, ...change, updatedAt: entry.time })
}

function capture({ memories }: Board, { actor, time, body }: OperationEntry): void {
  if (typeof body.memory !== 'string') return
  memories.set(body.memory, {
    id: body.memory,
    text: textOf(body.text),
    root: textOf(body.root),
    tags: listOf(body.tags),
    createdBy: actor,
    createdAt: time,
    dismissed: false,
  })
}

function dismissMemory({ memories }: Board, id: string): void {
  const memory = memories.get(id)
  if (memory !== undefined) memories.set(id, { ...memory, dismissed: true })
}

function commit({ commitments }: Board, { actor, time, body }: OperationEntry): void {
  if (typeof body.commitment !== 'string' || commitments.has(body.commitment)) return
  const tier = tierOf(body.tier)
  commitments.set(body.commitment, {
    id: body.commitment,
    title: textOf(body.title),
    root: textOf(body.root),
    state: 'open',
    tier,
    requiresReview: body.review === true || tier === 't3',
    tags: listOf(body.tags),
    source: typeof body.source === 'string' ? body.source : null,
    createdBy: actor,
    createdAt: time,
    claimedBy: null,
    claimedAgent: null,
    doers: [],
    evidence: 0,
    validations: 0,
    resolution: null,
    closedAt: null,
    reopenUntil: null,
    updatedAt: time,
  })
}

type Change = (commitment: Commitment, entry: OperationEntry) => Partial<Commitment>

const CHANGES: Partial<Record<OperationName, Change>> = {
  claim: ({ doers }, { actor, body }) => {
    const agent = typeof body.agentId === 'string' ? body.agentId : null
    const all = new Set([...doers, actor, ...(agent === null ? [] : [agent])])
    return { state: 'claimed', claimedBy: actor, claimedAgent: agent, doers: [...all] }
  },
  release: () => ({ state: 'open', claimedBy: null, claimedAgent: null }),
  evidence: ({ evidence, validations }, { body }) => ({
    evidence: evidence + 1,
    // Said by the entry itself: the item may be large, and then it may be trimmed one day.
    validations: validations + (body.validates === true || isPassedValidation(body.item) ? 1 : 0),
  }),
  submit: (_commitment, { body, time }) =>
    body.closes === true
      ? { state: 'closed', resolution: 'auto', closedAt: time, reopenUntil: typeof body.reopenUntil === 'string' ? body.reopenUntil : null }
      : { state: 'in_review' },
  approve: (_commitment, { time }) => ({ state: 'closed', resolution: 'approved', closedAt: time, reopenUntil: null }),
  reject: () => ({ state: 'claimed' }),
  reopen: () => ({ state: 'open', claimedBy: null, claimedAgent: null, resolution: null, closedAt: null, reopenUntil: null }),
  dismiss: (_commitment, { time }) => ({ state: 'closed', resolution: 'dismissed', closedAt: time, reopenUntil: null }),
  close: (_commitment, { time }) => ({ state: 'closed', resolution: 'closed', closedAt: time, reopenUntil: null }),
  triage: ({ tier, requiresReview, tags }, { body }) => {
    const next = tierOf(body.tier) ?? tier
    return {
      tier: next,
      requiresReview: next === 't3' || (typeof body.review === 'boolean' ? body.review : requiresReview),
      tags: [...new Set([...tags, ...listOf(body.tags)])],
    }
  },
  annotate: () => ({}),
  link: () => ({}),
}

const PASSED = /^(?:pass(?:ed)?|ok|success(?:ful)?|green)$/i

/** A build or a test that passed. */
export function isPassedValidation(item: unknown): boolean {
  if (typeof item !== 'object' || item === null || !('kind' in item) || !('status' in item)) return false
  return (item.kind === 'build' || item.kind === 'test') && PASSED.test(textOf(item.status))
}

function tierOf(value: unknown): Tier | null {
  return TIERS.find(tier => tier === value) ?? null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}
