// The log of tool calls of one process, for as long as it lives. The daemon keeps one that outlives it.
import { BoundedMap } from '../value/bounded-map.ts'
import type { KnownCall, ToolCallLog } from './guardrail-ports.ts'

const MAX_CALLS = 10_000

export function createMemoryCallLog(now: () => number): ToolCallLog {
  const calls = new BoundedMap<string, KnownCall>(MAX_CALLS)
  const keep = (key: string, call: KnownCall) => {
    calls.set(key, call)
  }
  return {
    runIdOf: ({ sessionId }) => sessionId,
    find: async key => calls.get(key) ?? null,
    async begin({ key }, status) {
      keep(key, { status, attempt: (calls.get(key)?.attempt ?? 0) + 1, receipt: null, at: new Date(now()).toISOString() })
    },
    async end({ key }, { status, receipt }) {
      const { attempt, at } = calls.get(key) ?? { attempt: 1, at: new Date(now()).toISOString() }
      keep(key, { status, attempt, receipt, at })
    },
  }
}
