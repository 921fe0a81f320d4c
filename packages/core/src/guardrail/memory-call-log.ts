// The log of tool calls of one process, for as long as it lives. The daemon keeps one that outlives it.
import type { KnownCall, ToolCallLog } from './guardrail-ports.ts'

const MOST_CALLS = 10_000

export function createMemoryCallLog(now: () => number): ToolCallLog {
  const calls = new Map<string, KnownCall>()
  const keep = (key: string, call: KnownCall) => {
    if (!calls.has(key) && calls.size >= MOST_CALLS) calls.delete(calls.keys().next().value ?? '')
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
