// The commitments of one ledger: checked, recorded, then true. Operations go one after another, so that no two see the same state.
import type { HookEvent } from '@belay/core'
import type { Entry, EntryDraft } from '@belay/core/ledger'
import { combinedHash, type GenesisPolicy } from '@belay/core/policy'
import type { ProjectGuard } from '../guard/project-guard.ts'
import { readLastSeq } from '../ledger/read-entry.ts'
import type { Store } from '../store/store.ts'
import { applyEntry, type Board, type Commitment, type Memory } from './board.ts'
import type { ClaimMirror } from './claim-mirror.ts'
import { conditionFields } from './condition-fields.ts'
import { refuseConstraint } from './constraint.ts'
import { loadBoard, readOperation } from './load-board.ts'
import type { OperationRequest } from './operation.ts'
import { operationBody } from './operation-body.ts'
import { refuseOperation } from './operation-permission.ts'
import type { Subject } from './subject-match.ts'
import { classifyTier, refuseApprover } from './tier.ts'
import { refuseTransition } from './transition.ts'

export interface CommitmentOptions {
  readonly store: Store
  append(draft: EntryDraft, options?: { readonly eventId?: string }): Promise<Entry>
  /** What holds in a project. */
  policyAt(root: string): { readonly policies: readonly GenesisPolicy[]; readonly guard: Pick<ProjectGuard, 'judge'> }
  /** Why a commitment may not close yet: somebody has to approve it. */
  heldBy(commitment: string): Promise<string | null>
  /** For clients that are alone. */
  readonly mirror?: ClaimMirror
  readonly newId: (prefix: 'mem' | 'cmt') => string
  readonly now: () => number
}

export type Performed =
  | { readonly ok: true; readonly entry: Entry; readonly commitment: Commitment | null; readonly memory: Memory | null }
  | { readonly ok: false; readonly why: string }

export interface Commitments {
  perform(request: OperationRequest): Promise<Performed>
  find(id: string): Promise<Commitment | null>
  board(): Promise<Board>
  /** What an agent id has claimed: the one that is wanted, if it is among these; else the latest open one. No wait once the board is loaded. */
  commitmentOf(agentId: string, wanted: string | null): string | null | Promise<string | null>
  /** `commitment` as conditions read it. */
  conditionFields(event: HookEvent): Readonly<Record<string, unknown>> | null
  countEvidence(commitment: string): void
  /** Operations of another ledger, as they were: nothing is checked. Those that came before are passed over; gives how many are new. */
  adopt(operations: readonly AdoptedOperation[]): Promise<number>
}

export interface AdoptedOperation {
  readonly draft: EntryDraft
  readonly eventId: string
}

export function openCommitments(options: CommitmentOptions): Commitments {
  let board: Board | null = null
  /** What is older stands on the board. */
  let lastSeq = 0
  const loading = loadBoard(options.store).then(async loaded => {
    lastSeq = await readLastSeq(options.store)
    board = loaded
    options.mirror?.keep(loaded)
    return loaded
  })
  // Whoever waits for it is told.
  loading.catch(() => undefined)
  let last: Promise<unknown> = loading.catch(() => undefined)

  // Asked for with every event of every agent.
  let holders: ReadonlyMap<string, string> | null = null
  const heldOf = (loaded: Board, agentId: string, wanted: string | null): string | null => {
    if (wanted !== null) return loaded.commitments.get(wanted)?.claimedAgent === agentId ? wanted : null
    holders ??= listHolders(loaded)
    return holders.get(agentId) ?? null
  }

  const apply = async (entry: Entry): Promise<void> => {
    const loaded = await loading
    applyEntry(loaded, await readOperation(options.store, entry))
    options.mirror?.keep(loaded)
    lastSeq = Math.max(lastSeq, entry.seq)
    holders = null
  }
  const record = async (draft: EntryDraft): Promise<Entry> => {
    const entry = await options.append(draft)
    await apply(entry)
    return entry
  }
  const adopt = async (operations: readonly AdoptedOperation[]): Promise<number> => {
    const before = lastSeq
    // At once, so that they share their commits; the ledger keeps the order of the calls.
    const entries = await Promise.all(operations.map(({ draft, eventId }) => options.append(draft, { eventId })))
    // By seq: one that is given twice is one entry.
    const added = new Map(entries.filter(entry => entry.seq > before).map(entry => [entry.seq, entry]))
    for (const entry of added.values()) await apply(entry)
    return added.size
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }

  return {
    perform: request => inTurn(async () => perform(request, await loading, options, record)),
    find: async id => (await loading).commitments.get(id) ?? null,
    board: () => loading,
    commitmentOf: (agentId, wanted) =>
      board === null ? loading.then(loaded => heldOf(loaded, agentId, wanted)) : heldOf(board, agentId, wanted),
    conditionFields: ({ commitment }) => (commitment === null ? null : conditionFields(commitment, board?.commitments.get(commitment))),
    countEvidence(id) {
      const known = board?.commitments.get(id)
      if (known === undefined || board === null) return
      board.commitments.set(id, { ...known, evidence: known.evidence + 1 })
      options.mirror?.keepLater(board)
    },
    adopt: operations => inTurn(() => adopt(operations)),
  }
}

async function perform(
  request: OperationRequest,
  board: Board,
  options: CommitmentOptions,
  record: (draft: EntryDraft) => Promise<Entry>,
): Promise<Performed> {
  const target = findTarget(request, board)
  if (typeof target === 'string') return { ok: false, why: target }
  const { commitment } = target
  const { policies, guard } = options.policyAt(commitment?.root ?? request.root)
  const subject = subjectOf(request, commitment)
  const tier = request.tier ?? classifyTier(policies, subject)
  const nowMs = options.now()
  const holder = commitment === null || !CLOSING.includes(request.name) ? null : await options.heldBy(commitment.id)
  const why =
    refuseSource(request, board) ??
    (commitment === null ? null : refuseTransition(commitment, request, nowMs)) ??
    refuseNames([request.actor, ...request.alsoAs], actor => {
      const as = { ...request, actor }
      return (
        refuseOperation({ request: as, policies, guard }) ??
        refuseConstraint(policies, { request: as, commitment, subject: { ...subject, actor }, held: heldBy(board, actor) }) ??
        (request.name === 'approve' ? refuseApprover(policies, commitment?.tier ?? null, actor) : null)
      )
    }) ??
    (request.name === 'submit' ? null : holder)
  if (why !== null) return { ok: false, why }
  const body = operationBody(request, { commitment, policies, tier, isHeld: holder !== null, newId: options.newId, nowMs })
  const policy = policies.length === 0 ? null : combinedHash(policies)
  const entry = await record({ actor: request.actor, session: null, kind: request.name, policy, body })
  return { ok: true, entry, ...madeBy(board, body) }
}

/** What any of the names may not do is refused. */
function refuseNames(names: readonly string[], refuse: (actor: string) => string | null): string | null {
  for (const name of names) {
    const why = refuse(name)
    if (why !== null) return why
  }
  return null
}

/** What may end a commitment, so what a gate stands against. */
const CLOSING: readonly string[] = ['submit', 'approve', 'close']
const MAKING: readonly string[] = ['capture', 'commit']
const ON_MEMORIES: readonly string[] = ['annotate', 'link', 'triage', 'dismiss']

/** What the operation is about, or what is wrong with the reference. */
function findTarget({ name, target }: OperationRequest, board: Board): { readonly commitment: Commitment | null } | string {
  if (MAKING.includes(name)) return { commitment: null }
  if (target === null) return `${name} needs the id of a commitment`
  const commitment = board.commitments.get(target)
  if (commitment !== undefined) return { commitment }
  if (board.memories.has(target))
    return ON_MEMORIES.includes(name) ? { commitment: null } : `${target} is a memory: ${name} takes a commitment`
  return `there is no ${target}; belay commitments lists what there is`
}

/** What it comes from, or is tied to, may lie elsewhere; what is named like ours must be there. */
function refuseSource({ target, source }: OperationRequest, { commitments, memories }: Board): string | null {
  if (source === null) return null
  if (source === target) return `${source} cannot be tied to itself`
  const isKnown = !/^(?:cmt|mem)_/.test(source) || commitments.has(source) || memories.has(source)
  return isKnown ? null : `there is no ${source}; belay commitments lists what there is`
}

function subjectOf({ actor, text, tags, tier }: OperationRequest, commitment: Commitment | null): Subject {
  if (commitment === null) return { actor, tags, tier, title: text ?? '' }
  return { actor, tags: commitment.tags, tier: commitment.tier, title: commitment.title }
}

function heldBy({ commitments }: Board, actor: string): number {
  return [...commitments.values()].filter(({ state, claimedBy }) => state !== 'closed' && claimedBy === actor).length
}

/** By agent id, the latest that it claimed and has not finished. */
function listHolders({ commitments }: Board): ReadonlyMap<string, string> {
  const active = [...commitments.values()].filter(({ state }) => state !== 'closed')
  active.sort((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1))
  return new Map(active.flatMap(({ claimedAgent, id }) => (claimedAgent === null ? [] : [[claimedAgent, id] as const])))
}

function madeBy(board: Board, body: Readonly<Record<string, unknown>>): { commitment: Commitment | null; memory: Memory | null } {
  return {
    commitment: typeof body.commitment === 'string' ? (board.commitments.get(body.commitment) ?? null) : null,
    memory: typeof body.memory === 'string' ? (board.memories.get(body.memory) ?? null) : null,
  }
}
