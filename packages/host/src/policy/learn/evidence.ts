// What agents did and people let happen: calls that ran, and calls that were refused. Each distinct call is kept once, with how often it came.
import type { ToolCall } from '@belay/core/policy'

export interface SeenCall {
  readonly call: ToolCall
  readonly actor: string
  readonly cwd: string
  count: number
}

export interface Evidence {
  readonly used: ReadonlyMap<string, SeenCall>
  readonly refused: ReadonlyMap<string, SeenCall>
  /** Calls beyond what is kept. */
  readonly left: number
}

export interface EvidenceBook {
  readonly evidence: Evidence
  add(kind: 'used' | 'refused', seen: Omit<SeenCall, 'count'>): void
}

/** Distinct calls; a month of work has fewer. */
const MOST_KEPT = 50_000

export function createEvidence(): EvidenceBook {
  const used = new Map<string, SeenCall>()
  const refused = new Map<string, SeenCall>()
  let left = 0
  return {
    get evidence() {
      return { used, refused, left }
    },
    add(kind, { call, actor, cwd }) {
      const calls = kind === 'used' ? used : refused
      const key = `${actor}\n${cwd}\n${call.tool}\n${JSON.stringify(call.input)}`
      const known = calls.get(key)
      if (known !== undefined) known.count++
      else if (calls.size < MOST_KEPT) calls.set(key, { call, actor, cwd, count: 1 })
      else left++
    },
  }
}
