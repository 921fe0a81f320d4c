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
  readonly leftOut: LeftOut
}

/** Calls beyond what is kept, each time that one came. */
export interface LeftOut {
  readonly used: number
  readonly refused: number
}

export interface EvidenceBook {
  readonly evidence: Evidence
  add(kind: 'used' | 'refused', seen: Omit<SeenCall, 'count'>): void
}

/** Distinct calls of each kind; a month of work has fewer. */
const MOST_KEPT = 50_000

export function createEvidence(kept = MOST_KEPT): EvidenceBook {
  const used = new Map<string, SeenCall>()
  const refused = new Map<string, SeenCall>()
  const leftOut = { used: 0, refused: 0 }
  return {
    get evidence() {
      return { used, refused, leftOut }
    },
    add(kind, { call, actor, cwd }) {
      const calls = kind === 'used' ? used : refused
      const key = `${actor}\n${cwd}\n${call.tool}\n${JSON.stringify(call.input)}`
      const known = calls.get(key)
      if (known !== undefined) known.count++
      else if (calls.size < kept) calls.set(key, { call, actor, cwd, count: 1 })
      else leftOut[kind]++
    },
  }
}
