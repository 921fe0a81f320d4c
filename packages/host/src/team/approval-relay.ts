// Requests of this machine on their way to the team, and decisions on their way back. Each is said until the hub has it; a decision is handed
// on once. One that the hub can never take is given up, so that it holds nobody else's up.
import { BoundedMap, errorText, isObject } from '@belay/core/value'
import { sayRefused } from './hub-client.ts'
import type { Ask } from './hub-session.ts'
import type { HubDecision, UnsentApproval } from './team-message.ts'

export interface ApprovalRelay {
  add(approval: UnsentApproval): void
  /** False: the hub did not take them. */
  send(): Promise<boolean>
  readonly hasUnsent: () => boolean
  /** Requests whose decision was handed on. */
  decided(): readonly string[]
  /** What an answer of the hub decides that was not handed on yet. */
  read(answer: Readonly<Record<string, unknown>>): readonly HubDecision[]
  /** False: nobody here has asked that, whatever a hub says of it. */
  isAsked(id: string): boolean
}

const MAX_SENT = 100
const MAX_REMEMBERED = 1000
/** Of one answer; what is left comes with the next. */
const MAX_READ = 100
const MAX_ID = 64

/** Of an answer that says: this request, not this moment. */
const REFUSED: ReadonlySet<number> = new Set([400, 413])

export interface RelayOptions {
  readonly ask: Ask
  /** What was asked before this machine joined is not the team's. */
  readonly since: string
  /** The hub will never take it: people there do not see it. */
  onRefused(id: string, why: string): void
}

export function createApprovalRelay({ ask, since, onRefused }: RelayOptions): ApprovalRelay {
  const unsent = new Map<string, UnsentApproval>()
  const asked = new BoundedMap<string, true>(MAX_REMEMBERED)
  const handed = new BoundedMap<string, true>(MAX_REMEMBERED)
  const offer = async (approvals: readonly UnsentApproval[]): Promise<'taken' | 'away' | { readonly refused: string }> => {
    const answer = await ask('POST /v1/approvals', { approvals }).catch(error => errorText(error))
    if (typeof answer === 'string') return 'away'
    if (REFUSED.has(answer.status)) return { refused: sayRefused(answer) }
    if (answer.status !== 200) return 'away'
    // One that changed meanwhile is said again.
    for (const approval of approvals) if (unsent.get(approval.id) === approval) unsent.delete(approval.id)
    return 'taken'
  }
  const offerEach = async (approvals: readonly UnsentApproval[]): Promise<boolean> => {
    for (const approval of approvals) {
      const outcome = await offer([approval])
      if (outcome === 'away') return false
      if (outcome === 'taken') continue
      unsent.delete(approval.id)
      onRefused(approval.id, outcome.refused)
    }
    return true
  }
  return {
    add: approval => {
      if (approval.createdAt < since) return
      unsent.set(approval.id, approval)
      asked.set(approval.id, true)
    },
    hasUnsent: () => unsent.size > 0,
    send: async () => {
      const approvals = [...unsent.values()].slice(0, MAX_SENT)
      if (approvals.length === 0) return true
      const outcome = await offer(approvals)
      return typeof outcome === 'object' ? offerEach(approvals) : outcome === 'taken'
    },
    decided: () => [...handed.keys()],
    read: ({ decisions }) => {
      const said = (Array.isArray(decisions) ? decisions : []).slice(0, MAX_READ)
      const fresh = said.filter(isDecision).filter(({ id }) => handed.get(id) === undefined)
      for (const { id } of fresh) handed.set(id, true)
      return fresh
    },
    isAsked: id => asked.get(id) !== undefined,
  }
}

function isDecision(value: unknown): value is HubDecision {
  if (!isObject(value)) return false
  const { id, decision, by, note } = value
  const isKnown = decision === 'allowed' || decision === 'denied'
  return (
    typeof id === 'string' &&
    id.length <= MAX_ID &&
    isKnown &&
    typeof by === 'string' &&
    /^human:\S+$/.test(by) &&
    (note === null || typeof note === 'string')
  )
}
