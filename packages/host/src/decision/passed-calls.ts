// Where an agent has our hooks and its MCP server stands behind our proxy, both report the same call. The agent's report is judged and
// recorded; the proxy's is then known, and so is its result. Invariants: a call counts as known only once, in the same project, with the very
// input that was let through, under no name that it was not let through by, and never one that was denied.

import { createHash } from 'node:crypto'
import type { HookEvent } from '@belay/core'
import { type DecodedEvent, encodeAnswer } from '@belay/core/adapter'
import { canonicalJson } from '@belay/core/ledger'
import { BoundedMap } from '@belay/core/value'
import type { Decided, HookAnswer } from './hook-call.ts'
import { say } from './settle-answer.ts'

export interface PassedCalls {
  /** A decision about a call of an agent: it may reach the proxy next. */
  note(decoded: DecodedEvent, decided: Decided, isAttended: boolean): void
  /** The answer to a call of the proxy, or to its result, that is known already; null: it is to be judged. */
  answerKnown(decoded: DecodedEvent, event: HookEvent): HookAnswer | null
}

/** A person may take a while to answer the agent's own question. */
const KEPT_MS = 10 * 60_000
const MAX_KEPT = 1000

export function createPassedCalls(now: () => number): PassedCalls {
  const passed = createMemory(now)
  const running = createMemory(now)
  return {
    note(decoded, { event, guarded }, isAttended) {
      if (event.name !== 'PreToolUse' || decoded.agent.id === 'mcp' || !isMcpTool(event)) return
      const { decision } = guarded.verdict
      if (decision === 'deny' || (decision === 'ask' && !(decoded.agent.can.ask && isAttended))) return
      passed.add(keyOf(event, guarded.fired.event.fields.toolInput), [event.actor, ...(event.alsoAs ?? []), `agent:${decoded.agent.id}`])
    },
    answerKnown(decoded, event) {
      if (decoded.agent.id !== 'mcp') return null
      const id = String(event.fields.toolUseId)
      const isKnown = event.name === 'PreToolUse' ? passed.take(keyOf(event, event.fields.toolInput), namesOf(event)) : running.take(id, [])
      if (!isKnown) return null
      if (event.name === 'PreToolUse') running.add(id, [])
      return say(encodeAnswer(decoded, { verdict: { decision: 'none' } }, { attended: false }))
    },
  }
}

export function isMcpTool({ fields }: HookEvent): boolean {
  return typeof fields.toolName === 'string' && fields.toolName.startsWith('mcp__')
}

const PROXY = 'agent:mcp'

/** The proxy calls for an agent: its own name counts only where it was given no other. */
function namesOf({ actor, alsoAs = [] }: HookEvent): readonly string[] {
  return actor === PROXY && alsoAs.length > 0 ? alsoAs : [actor, ...alsoAs]
}

function keyOf({ delivery, fields }: HookEvent, input: unknown): string {
  const text = canonicalJson([delivery?.root ?? null, delivery?.policyHash ?? null, fields.toolName, input ?? {}])
  return createHash('sha256').update(text).digest('base64')
}

interface Memory {
  add(key: string, names: readonly string[]): void
  /** Whether it was added under all of these names, which it is then no more. */
  take(key: string, names: readonly string[]): boolean
}

interface Kept {
  readonly at: number
  readonly names: readonly string[]
}

/** Each time that a key was added, for a while; the oldest go first. */
function createMemory(now: () => number): Memory {
  const kept = new BoundedMap<string, readonly Kept[]>(MAX_KEPT)
  return {
    add(key, names) {
      const known = kept.get(key) ?? []
      kept.delete(key)
      kept.set(key, [...known, { at: now(), names }])
    },
    take(key, names) {
      const fresh = (kept.get(key) ?? []).filter(({ at }) => now() - at < KEPT_MS)
      const found = fresh.find(each => names.every(name => each.names.includes(name)))
      const rest = fresh.filter(each => each !== found)
      if (rest.length === 0) kept.delete(key)
      else kept.set(key, rest)
      return found !== undefined
    },
  }
}
