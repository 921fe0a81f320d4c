// The queue of requests, in memory with the database behind it: what waits, and decisions that no call has used yet. One writer.
// Invariant: every change is in the ledger and in the database before anybody is told of it; a decision is used at most once.
import { randomBytes } from 'node:crypto'
import type { EntryDraft } from '@belay/core/ledger'
import { matchesActor } from '@belay/core/policy'
import type { Clock } from '../ledger/clock.ts'
import type { Store } from '../store/store.ts'
import { keyedHash } from './key-file.ts'
import { isSettled, loadApprovals, sealOf } from './load-approvals.ts'
import { type ApprovalRequest, requestOf, rowOf } from './request.ts'

export interface ApprovalOptions {
  readonly store: Store
  append(draft: EntryDraft): Promise<unknown>
  redact(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  readonly key: Uint8Array
  /** Told of every change. */
  onChange(request: ApprovalRequest): void
  readonly clock: Clock
}

export type NewRequest = Omit<
  ApprovalRequest,
  'id' | 'state' | 'createdAt' | 'expiresAt' | 'decidedAt' | 'decidedBy' | 'note' | 'usedAt'
> & { readonly expiryMs: number; readonly policyHash: string | null }

export interface Approvals {
  /** Of exactly this call, by whom and where it was made. */
  hash(call: BoundCall): string
  open(request: NewRequest): Promise<ApprovalRequest>
  /** One that waits for, or decided, exactly this call. */
  findPending(inputHash: string): ApprovalRequest | null
  /** A decision for exactly this call, taken out: nobody else gets it. `approvers`: only one of theirs counts, if any are named. */
  take(inputHash: string, approvers?: readonly string[]): Promise<ApprovalRequest | null>
  /** The last one of a commitment at a gate, also one that ran out undecided: that holds it too. */
  findGate(commitment: string): ApprovalRequest | null
  /** Asks again at a gate that ran out undecided. */
  renew(gate: ApprovalRequest): Promise<ApprovalRequest>
  /** A decision at a gate has done what it was for. */
  use(gate: ApprovalRequest): Promise<void>
  find(id: string): ApprovalRequest | null
  /** Past its time, by the wall or by the clock that nobody sets. */
  isOver(request: ApprovalRequest): boolean
  decide(request: ApprovalRequest, decision: Decision): Promise<ApprovalRequest>
  withdraw(request: ApprovalRequest, note: string): Promise<void>
  pending(): readonly ApprovalRequest[]
  /** Also those that are over, newest first. */
  history(limit: number): Promise<readonly ApprovalRequest[]>
  /** Ends what is past its time. */
  expire(): Promise<void>
}

/** What a decision is bound to. */
export interface BoundCall {
  readonly root: string
  readonly cwd: string
  readonly actor: string
  readonly session: string
  readonly agentId: string
  readonly tool: string
  readonly input: unknown
}

export interface Decision {
  readonly state: 'allowed' | 'denied'
  readonly by: string
  readonly via: 'terminal' | 'dashboard' | 'webhook' | 'hub'
  readonly note: string | null
  /** The rule that came with it. */
  readonly always: string | null
}

export async function openApprovals(options: ApprovalOptions): Promise<Approvals> {
  const { key, clock } = options
  const wall = await startWall(options)
  const live = await loadApprovals(options)
  /** By id, on the clock that nobody sets. */
  const ends = new Map([...live.values()].map(({ id, expiresAt }) => [id, clock.monotonic() + Date.parse(expiresAt) - wall()]))
  const opening = new Map<string, Promise<ApprovalRequest>>()
  // A decision at a gate holds until the commitment closes or the work goes on.
  const isOver = ({ id, kind, state, expiresAt }: ApprovalRequest): boolean =>
    (kind === 'call' || state === 'pending') &&
    (Date.parse(expiresAt) <= wall() || (ends.get(id) ?? Number.POSITIVE_INFINITY) <= clock.monotonic())
  const instant = (): string => new Date(wall()).toISOString()
  const awaited = (inputHash: string): readonly ApprovalRequest[] =>
    [...live.values()].filter(request => request.kind === 'call' && request.inputHash === inputHash && !isOver(request))

  /** In memory first, so that two calls cannot both take it; undone when it cannot be written. */
  async function change(before: ApprovalRequest, after: ApprovalRequest, record: EntryDraft): Promise<void> {
    if (isSettled(after)) live.delete(after.id)
    else live.set(after.id, after)
    try {
      await save(options.store, after)
      await options.append(sealed(key, after, record))
    } catch (error) {
      live.set(before.id, before)
      throw error
    }
    if (isSettled(after)) ends.delete(after.id)
    options.onChange(after)
  }

  async function open({ expiryMs, policyHash, ...facts }: NewRequest): Promise<ApprovalRequest> {
    const { input, reason, rule } = options.redact({ input: facts.input, reason: facts.reason, rule: facts.rule })
    const request: ApprovalRequest = {
      ...facts,
      input: input as ApprovalRequest['input'],
      reason: String(reason),
      rule: typeof rule === 'string' ? rule : null,
      id: `apr_${randomBytes(4).toString('hex')}`,
      state: 'pending',
      createdAt: instant(),
      expiresAt: new Date(wall() + expiryMs).toISOString(),
      decidedAt: null,
      decidedBy: null,
      note: null,
      usedAt: null,
    }
    await save(options.store, request)
    await options.append(sealed(key, request, { ...draftOf('approval_requested', request, request.actor), policy: policyHash }))
    ends.set(request.id, clock.monotonic() + expiryMs)
    live.set(request.id, request)
    options.onChange(request)
    return request
  }

  /** The same call, or the same commitment at its gate, twice at the same moment is one question. */
  function openOnce(asked: Pick<NewRequest, 'kind' | 'inputHash' | 'commitment'>, ask: () => Promise<ApprovalRequest>) {
    const key = asked.kind === 'call' ? `call ${asked.inputHash}` : `gate ${asked.commitment}`
    const opened = opening.get(key) ?? ask().finally(() => opening.delete(key))
    opening.set(key, opened)
    return opened
  }

  async function renew(gate: ApprovalRequest): Promise<ApprovalRequest> {
    const { id, state, createdAt, expiresAt, decidedAt, decidedBy, note, usedAt, ...facts } = gate
    const opened = await open({ ...facts, expiryMs: Date.parse(expiresAt) - Date.parse(createdAt), policyHash: null })
    await withdraw(gate, `asked again as ${opened.id}`)
    return opened
  }

  async function use(decided: ApprovalRequest): Promise<ApprovalRequest> {
    const used = { ...decided, usedAt: instant() }
    await change(decided, used, draftOf('approval_used', used, used.actor))
    return used
  }

  async function withdraw(request: ApprovalRequest, note: string): Promise<void> {
    const over: ApprovalRequest = { ...request, state: 'expired', note, usedAt: request.kind === 'gate' ? instant() : null }
    await change(request, over, draftOf('approval_expired', over, over.actor))
  }

  return {
    hash: call => keyedHash(key, { ...call }),
    open: asked => openOnce(asked, () => open(asked)),
    findPending: inputHash => awaited(inputHash).find(request => request.state === 'pending') ?? null,
    async take(inputHash, approvers = []) {
      const counts = ({ state, decidedBy }: ApprovalRequest): boolean =>
        state !== 'pending' && (approvers.length === 0 || approvers.some(approver => matchesActor(approver, decidedBy ?? '')))
      const decided = awaited(inputHash).find(counts)
      return decided === undefined ? null : use(decided)
    },
    findGate: commitment =>
      [...live.values()].filter(request => request.kind === 'gate' && request.commitment === commitment).at(-1) ?? null,
    renew: gate => openOnce(gate, () => renew(gate)),
    async use(gate) {
      await use(gate)
    },
    find: id => live.get(id) ?? null,
    isOver,
    async decide(request, { state, by, via, note, always }) {
      const decided = { ...request, state, decidedAt: instant(), decidedBy: by, note: redactedText(options, note) }
      const draft = draftOf('approval_decided', decided, by)
      await change(request, decided, { ...draft, body: { ...draft.body, via, ...(always === null ? {} : { always }) } })
      return decided
    },
    withdraw,
    pending: () => [...live.values()].filter(request => request.state === 'pending' && !isOver(request)),
    async history(limit) {
      const found = await options.store.db.selectFrom('approvals').selectAll().orderBy('created_at', 'desc').limit(limit).execute()
      return found.map(requestOf)
    },
    async expire() {
      for (const request of [...live.values()].filter(one => one.state !== 'expired' && isOver(one))) {
        // Something else may have settled it while another was written.
        if (live.get(request.id) !== request) continue
        const over: ApprovalRequest = { ...request, state: 'expired' }
        await change(request, over, draftOf('approval_expired', over, over.actor))
      }
    },
  }
}

const RECENT_ENTRIES = 10_000

/** The wall clock, which never goes back: not below what it has shown, nor below the time of what was recorded last. */
async function startWall({ store, clock }: ApprovalOptions): Promise<() => number> {
  // The very last may have been written by a clock that was set back already.
  const times = await store.db.selectFrom('ledger').select('time').orderBy('seq', 'desc').limit(RECENT_ENTRIES).execute()
  let floor = times.reduce((latest, { time }) => Math.max(latest, Date.parse(time) || 0), 0)
  return () => {
    floor = Math.max(floor, clock.now())
    return floor
  }
}

/** With the seal of the row that it leaves behind: what counts after a restart. */
function sealed(key: Uint8Array, request: ApprovalRequest, draft: EntryDraft): EntryDraft {
  return { ...draft, body: { ...draft.body, isOver: isSettled(request), seal: sealOf(key, request) } }
}

async function save(store: Store, request: ApprovalRequest): Promise<void> {
  const row = rowOf(request)
  await store.transact(tx =>
    tx
      .insertInto('approvals')
      .values(row)
      .onConflict(conflict => conflict.column('id').doUpdateSet(row))
      .execute(),
  )
}

function draftOf(kind: string, request: ApprovalRequest, actor: string): EntryDraft {
  const { id, state, root, agentId, commitment, tool, input, inputHash, reason, rule, approvers, expiresAt, decidedBy, note } = request
  const { agent, origin } = request
  const about = { approval: id, state, root, agentId, commitment, tool, reason, rule, decidedBy, note }
  const body = kind === 'approval_requested' ? { ...about, agent, origin, input, inputHash, approvers, expiresAt } : { ...about, inputHash }
  return { actor, session: request.session, kind, policy: null, body }
}

function redactedText({ redact }: ApprovalOptions, text: string | null): string | null {
  return text === null ? null : String(redact({ text }).text)
}
