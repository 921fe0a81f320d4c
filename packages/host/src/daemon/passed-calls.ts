// Where an agent has our hooks and its MCP server stands behind our proxy, both report the same call. The agent's report is judged and
// recorded; the proxy's is then known, and so is its result. Invariants: a call counts as known only once, for the same actor in the same
// project with the very input that was let through, and never one that was denied.
import { createHash } from 'node:crypto'
import type { HookEvent } from '@belay/core'
import { type DecodedEvent, encodeAnswer } from '@belay/core/adapter'
import { canonicalJson } from '@belay/core/ledger'
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
const MOST_KEPT = 1000

export function createPassedCalls(now: () => number): PassedCalls {
  const passed = createMemory(now)
  const running = createMemory(now)
  return {
    note(decoded, { event, guarded }, isAttended) {
      if (event.name !== 'PreToolUse' || decoded.agent.id === 'mcp' || !isMcpTool(event)) return
      const { decision } = guarded.verdict
      if (decision === 'deny' || (decision === 'ask' && !(decoded.agent.can.ask && isAttended))) return
      passed.add(keyOf(event, guarded.fired.event.fields.toolInput))
    },
    answerKnown(decoded, event) {
      if (decoded.agent.id !== 'mcp') return null
      const id = String(event.fields.toolUseId)
      const isKnown = event.name === 'PreToolUse' ? passed.take(keyOf(event, event.fields.toolInput)) : running.take(id)
      if (!isKnown) return null
      if (event.name === 'PreToolUse') running.add(id)
      return say(encodeAnswer(decoded, { verdict: { decision: 'none' } }, { attended: false }))
    },
  }
}

export function isMcpTool({ fields }: HookEvent): boolean {
  return typeof fields.toolName === 'string' && fields.toolName.startsWith('mcp__')
}

function keyOf({ actor, delivery, fields }: HookEvent, input: unknown): string {
  const text = canonicalJson([actor, delivery?.root ?? null, delivery?.policyHash ?? null, fields.toolName, input ?? {}])
  return createHash('sha256').update(text).digest('base64')
}

interface Memory {
  add(key: string): void
  take(key: string): boolean
}

/** How often each key was added, for a while; the oldest go first. */
function createMemory(now: () => number): Memory {
  const times = new Map<string, number[]>()
  return {
    add(key) {
      const known = times.get(key) ?? []
      times.delete(key)
      times.set(key, [...known, now()])
      if (times.size > MOST_KEPT) times.delete(times.keys().next().value ?? '')
    },
    take(key) {
      const [first, ...rest] = (times.get(key) ?? []).filter(time => now() - time < KEPT_MS)
      if (rest.length === 0) times.delete(key)
      else times.set(key, rest)
      return first !== undefined
    },
  }
}
