// Answers that stand for the same question for a while. What an agent hook looked at is part of its question: an answer holds only as long as
// every look would show the same again, so that work done since is seen.

import { createHash } from 'node:crypto'
import { canonicalJson } from '../../ledger/canonical-json.ts'
import { BoundedMap } from '../../value/bounded-map.ts'
import type { LlmAnswer, LlmRequest } from '../llm.ts'
import type { LookTool } from './look-tools.ts'

/** One look around: what was asked of which tool, and the hash of what it showed. */
export interface Look {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly shown: string
}

export interface AnswerCache {
  find(request: LlmRequest, tools: readonly LookTool[]): Promise<LlmAnswer | null>
  keep(request: LlmRequest, looks: readonly Look[], answer: LlmAnswer): void
}

const MAX_KEPT = 1000

export function createAnswerCache(cacheMs: number, now: () => number): AnswerCache {
  const kept = new BoundedMap<string, { readonly until: number; readonly looks: readonly Look[]; readonly answer: LlmAnswer }>(MAX_KEPT)
  return {
    async find(request, tools) {
      const known = kept.get(keyOf(request))
      if (known === undefined || known.until <= now() || !(await showTheSame(known.looks, tools))) return null
      return known.answer
    },
    keep(request, looks, answer) {
      if (cacheMs <= 0) return
      kept.set(keyOf(request), { until: now() + cacheMs, looks, answer })
    },
  }
}

/** The same tools, and what they show is written down in `looks`. */
export function recordLooks(tools: readonly LookTool[], looks: Look[]): readonly LookTool[] {
  return tools.map(tool => ({
    ...tool,
    async run(input) {
      const text = await tool.run(input)
      looks.push({ tool: tool.name, input, shown: hash(text) })
      return text
    },
  }))
}

async function showTheSame(looks: readonly Look[], tools: readonly LookTool[]): Promise<boolean> {
  for (const { tool, input, shown } of looks) {
    const text = await tools.find(({ name }) => name === tool)?.run(input)
    if (text === undefined || hash(text) !== shown) return false
  }
  return true
}

/** Ids that differ from call to call do not make a question another one. */
const VOLATILE = new Set(['tool_use_id', 'session_id', 'transcript_path', 'prompt_id', 'duration_ms'])

function keyOf({ kind, prompt, model, event, history = [], root }: LlmRequest): string {
  const stable = Object.fromEntries(Object.entries(event).filter(([name]) => !VOLATILE.has(name)))
  return hash(canonicalJson([kind, prompt, model, stable, history, root]))
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
