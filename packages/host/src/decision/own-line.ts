// A host with our hooks that reads another agent's hook file too sends each event on both lines. What its own line has let pass is then known
// on the other: it is not judged, counted and recorded again. Invariants: an event counts as known only once, in the same session and project,
// under the same policy and rules, with the very same fields; a call must have an id; and never one that was denied, asked about or rewritten.

import { createHash } from 'node:crypto'
import type { HookEvent } from '@belay/core'
import { type DecodedEvent, encodeAnswer } from '@belay/core/adapter'
import { canonicalJson } from '@belay/core/ledger'
import { BoundedMap } from '@belay/core/value'
import type { Decided, HookAnswer } from './hook-call.ts'
import { say } from './settle-answer.ts'

export interface OwnLine {
  /** Whether the host may send this event once more. */
  isFirst(decoded: DecodedEvent): boolean
  note(decided: Decided): void
  /** The answer to an event that its own line has answered; null: it is to be judged. `kindOf`: the same for names with the same rules. */
  answerKnown(decoded: DecodedEvent, event: HookEvent, kindOf: (actor: string) => string): HookAnswer | null
}

const MAX_KEPT = 1000

export function createOwnLine(): OwnLine {
  const passed = new BoundedMap<string, true>(MAX_KEPT)
  return {
    isFirst: ({ line, agent }) => line === undefined && agent.borrows.length > 0,
    note({ event, guarded }) {
      const { decision } = guarded.verdict
      const isRewritten = guarded.fired.event.fields.toolInput !== event.fields.toolInput
      if (decision === 'deny' || decision === 'ask' || isRewritten || !hasName(event)) return
      passed.set(keyOf(event), true)
    },
    answerKnown(decoded, event, kindOf) {
      if (decoded.line === undefined || !hasName(event) || !hasSameRules(event, kindOf) || !passed.delete(keyOf(event))) return null
      return say(encodeAnswer(decoded, { verdict: { decision: 'none' } }, { attended: false }))
    },
  }
}

/** Two calls may be alike in everything but their id. */
function hasName({ fields }: HookEvent): boolean {
  return fields.toolName === undefined || typeof fields.toolUseId === 'string'
}

/** On a borrowed line the rules of its owner hold too. */
function hasSameRules({ actor, alsoAs = [] }: HookEvent, kindOf: (actor: string) => string): boolean {
  return alsoAs.every(name => kindOf(name) === kindOf(actor))
}

function keyOf({ name, agent, sessionId, delivery, fields }: HookEvent): string {
  const text = canonicalJson([name, agent, sessionId, delivery?.root ?? null, delivery?.policyHash ?? null, fields])
  return createHash('sha256').update(text).digest('base64')
}
