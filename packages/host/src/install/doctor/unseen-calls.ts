// Calls that stand in an agent's transcript and not in the ledger: the agent did something without asking us.

export interface TranscriptCall {
  readonly id: string
  readonly tool: string
  readonly line: number
}

/** One JSON object a line; Claude Code writes `tool_use` blocks, Codex `function_call` items. */
export function callsInTranscript(text: string): readonly TranscriptCall[] {
  const calls = new Map<string, TranscriptCall>()
  for (const [index, line] of text.split('\n').entries()) {
    for (const { id, tool } of callsIn(parseLine(line))) if (!calls.has(id)) calls.set(id, { id, tool, line: index + 1 })
  }
  return [...calls.values()]
}

/** Calls whose results came back although the ledger has no word of them. */
export function findUnseen(calls: readonly TranscriptCall[], seen: ReadonlySet<string>): readonly TranscriptCall[] {
  return calls.filter(({ id }) => !seen.has(id))
}

function callsIn(value: unknown): readonly { id: string; tool: string }[] {
  if (Array.isArray(value)) return value.flatMap(callsIn)
  if (typeof value !== 'object' || value === null) return []
  const { type, id, call_id: callId, name } = value as Readonly<Record<string, unknown>>
  const own = type === 'tool_use' ? id : type === 'function_call' || type === 'custom_tool_call' ? callId : undefined
  if (typeof own === 'string') return [{ id: own, tool: typeof name === 'string' ? name : 'unknown' }]
  return Object.values(value).flatMap(callsIn)
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
