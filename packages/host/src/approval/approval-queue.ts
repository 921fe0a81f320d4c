// Where an ask finds its person. A decision that is there answers at once; where the agent can ask its own user, it does; where an approver
// can be reached, the call is held within the agent's time; else it is denied with how to approve it.

import { type ApprovalPort, type ApprovalQuestion, allow, deny, endOf, type HookEvent, type Verdict } from '@belay/core'
import type { Agent } from '@belay/core/adapter'
import type { Rule } from '@belay/core/policy'
import { BoundedMap } from '@belay/core/value'
import { boundCall, inputOf, newCall, newRequest } from './bound-call.ts'
import type { Approvals } from './open-approvals.ts'
import type { Presence } from './presence.ts'
import type { ApprovalRequest } from './request.ts'

export interface ApprovalQueueOptions {
  readonly approvals: Approvals
  readonly presence: Presence
  /** Default time a request stays open. */
  expiryMs(): number
  /** `agents.<id>.hold_ms`. */
  holdLimit(agent: string): number | null
  /** Resolves with the next change in the queue. */
  nextChange(): Promise<void>
  readonly now: () => number
}

export interface AskedEvent {
  /** After all rewrites: this is what would run. */
  readonly event: HookEvent
  readonly verdict: Extract<Verdict, { decision: 'ask' }>
  readonly rule: Rule | null
  readonly agent: Agent
  readonly attended: boolean
  readonly deadlineMs: number | null
}

/** What stands in for an ask. */
export interface AskAnswer {
  readonly verdict: Verdict
  /** What a person was asked; null: the agent asks its own user. */
  readonly request: string | null
  /** The verdict says no only because nobody said anything in time. */
  readonly isUnanswered: boolean
}

export interface ApprovalQueue extends ApprovalPort {
  answer(asked: AskedEvent): Promise<AskAnswer>
  /** Until when an agent waits for this request; null: none does, it was told no. */
  heldUntil(id: string): number | null
  /** The call of this event has run: what was decided about it answers nothing any more. */
  forget(event: HookEvent): void
  /** Nobody is held from now on; who is looks at the next change. */
  close(): void
}

const GATE_EXPIRY_MS = 7 * 86_400_000
/** Held this long where the agent does not say how long it waits. */
const DEFAULT_HOLD_MS = 20_000
const HOLD_MARGIN_MS = 250
/** Whoever watched may go: then nobody is held any longer. */
const LOOK_MS = 500
const MAX_REMEMBERED = 1000

export function createApprovalQueue(options: ApprovalQueueOptions): ApprovalQueue {
  const { approvals } = options
  /** Inputs that a gate let through in this very firing. */
  const passed = new WeakMap<object, ApprovalRequest>()
  /** What was said to a delivery, in case it is delivered again. */
  const answered = new BoundedMap<string, AskAnswer>(MAX_REMEMBERED)
  /** Calls that were allowed before the agent asked once more by itself (PermissionRequest), until they have run or come again. */
  const allowed = new BoundedMap<string, ApprovalRequest>(MAX_REMEMBERED)
  /** What an agent has read at a gate: that a request was opened, or refused. */
  const told = new WeakSet<ApprovalRequest>()
  const holds = new Set<Hold>()
  let isClosed = false

  async function answer(asked: AskedEvent): Promise<AskAnswer> {
    const { event } = asked
    const hash = hashOf(approvals, event)
    const eventId = event.delivery?.eventId ?? null
    const delivery = eventId === null ? null : `${eventId} ${hash}`
    const known = delivery === null ? undefined : answered.get(delivery)
    if (known !== undefined) return known
    const found = await findAnswer(asked, hash)
    if (delivery !== null && found.verdict.decision === 'allow') answered.set(delivery, found)
    return found
  }

  async function findAnswer(asked: AskedEvent, hash: string): Promise<AskAnswer> {
    const { event } = asked
    const input = inputOf(event)
    const through = passed.get(input)
    if (through !== undefined) return answerOf(through)
    const before = allowed.get(hash)
    allowed.delete(hash)
    if (before !== undefined && event.name === 'PermissionRequest') return answerOf(before)
    const pending = approvals.findPending(hash)
    const isNative = asked.agent.can.ask && asked.attended && (pending?.approvers.length ?? 0) === 0
    const decided = await approvals.take(hash)
    if (decided !== null) return deliver(hash, decided)
    if (isNative) {
      if (pending !== null) await approvals.withdraw(pending, 'the agent asks its own user')
      return { verdict: asked.verdict, request: null, isUnanswered: false }
    }
    return hold(asked, hash)
  }

  async function hold(asked: AskedEvent, hash: string): Promise<AskAnswer> {
    const held: Hold = { hash, until: options.now() + holdMs(asked, options) }
    holds.add(held)
    try {
      return await waitForAnswer(asked, held)
    } finally {
      holds.delete(held)
    }
  }

  async function waitForAnswer(asked: AskedEvent, { hash, until }: Hold): Promise<AskAnswer> {
    for (;;) {
      const change = options.nextChange()
      const decided = await approvals.take(hash)
      if (decided !== null) return deliver(hash, decided)
      const pending = approvals.findPending(hash) ?? (await approvals.open(newCall(asked, hash, options.expiryMs())))
      const left = until - options.now()
      if (isClosed || left <= 0 || !options.presence.isReachable())
        return { verdict: deny(howToApprove(pending)), request: pending.id, isUnanswered: true }
      await within(change, Math.min(left, LOOK_MS))
    }
  }

  function deliver(hash: string, decided: ApprovalRequest): AskAnswer {
    if (decided.state === 'allowed') allowed.set(hash, decided)
    return answerOf(decided)
  }

  return {
    answer,
    async ask(question) {
      if (endOf(question.event.name) === 'turn') return askGate(approvals, question, told)
      const { event } = question
      const hash = hashOf(approvals, event)
      if (event.name !== 'PermissionRequest') allowed.delete(hash)
      const decided = await approvals.take(hash, question.approvers)
      if (decided === null) {
        const pending = approvals.findPending(hash)
        if (pending !== null) return { state: 'pending', id: pending.id, isNew: false }
        const opened = await approvals.open(newRequest(question, hash, question.expiryMs ?? options.expiryMs()))
        return { state: 'pending', id: opened.id, isNew: true }
      }
      deliver(hash, decided)
      const by = decided.decidedBy ?? 'a person'
      if (decided.state !== 'allowed') return { state: 'rejected', by, reason: decided.note, isNew: true }
      passed.set(inputOf(event), decided)
      return { state: 'approved', by }
    },
    heldUntil(id) {
      const hash = options.presence.isReachable() ? approvals.find(id)?.inputHash : undefined
      const ends = [...holds].filter(held => held.hash === hash).map(({ until }) => until)
      return ends.length === 0 ? null : Math.max(...ends)
    },
    forget(event) {
      if (allowed.size > 0) allowed.delete(hashOf(approvals, event))
    },
    close() {
      isClosed = true
    },
  }
}

/** A call whose agent waits. */
interface Hold {
  readonly hash: string
  readonly until: number
}

/** The commitment is held, not the agent. */
async function askGate(approvals: Approvals, question: ApprovalQuestion, told: WeakSet<ApprovalRequest>): ReturnType<ApprovalPort['ask']> {
  const { commitment } = question.event
  if (commitment === null) return { state: 'not-needed' }
  const known = approvals.findGate(commitment)
  const isFirst = (request: ApprovalRequest): boolean => {
    const isNew = !told.has(request)
    told.add(request)
    return isNew
  }
  if (known === null || known.state === 'expired') {
    const opening = known === null ? approvals.open(newRequest(question, '', question.expiryMs ?? GATE_EXPIRY_MS)) : approvals.renew(known)
    const opened = await opening
    return { state: 'pending', id: opened.id, isNew: isFirst(opened) }
  }
  const by = known.decidedBy ?? 'a person'
  if (known.state === 'allowed') return { state: 'approved', by }
  if (known.state === 'denied') return { state: 'rejected', by, reason: known.note, isNew: isFirst(known) }
  return { state: 'pending', id: known.id, isNew: false }
}

function holdMs({ agent, deadlineMs }: AskedEvent, { holdLimit }: ApprovalQueueOptions): number {
  const limit = holdLimit(agent.id) ?? Number.POSITIVE_INFINITY
  return Math.min(limit, deadlineMs === null ? DEFAULT_HOLD_MS : deadlineMs - HOLD_MARGIN_MS)
}

function answerOf({ id, state, decidedBy, note }: ApprovalRequest): AskAnswer {
  const by = decidedBy ?? 'a person'
  const verdict =
    state === 'allowed' ? allow(`allowed once by ${by} (${id})`) : deny(`denied by ${by}${note === null ? '' : `: ${note}`} (${id})`)
  return { verdict, request: id, isUnanswered: false }
}

function howToApprove({ id, reason, expiresAt }: ApprovalRequest): string {
  return `${reason}. A person has to allow this: belay approvals allow ${id} (until ${expiresAt}); then try exactly this call again`
}

function hashOf(approvals: Approvals, event: HookEvent): string {
  return approvals.hash(boundCall(event))
}

async function within(change: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>(resolve => {
    timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1))
  })
  await Promise.race([change, timeout])
  clearTimeout(timer)
}
