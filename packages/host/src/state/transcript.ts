// What the end of a transcript says: how full the window is, and why the agent stopped. Only the tail is read, and only lines that the agent
// itself wrote as facts (token counts, API errors): what a model merely talks about does not count.

import { promises } from 'node:fs'
import { isObject } from '@belay/core/value'

export interface TranscriptTail {
  /** Tokens in the window at the last answer. */
  readonly tokens: number | null
  /** As the transcript names it. */
  readonly window: number | null
  readonly end: StopCause | null
  readonly size: number
}

export type StopCause = { readonly kind: 'rate-limit'; readonly resetsAt: string | null } | { readonly kind: 'exhausted' }

const TAIL_BYTES = 64 * 1024

/** null: it cannot be read. */
export async function readTranscriptTail(path: string): Promise<TranscriptTail | null> {
  const tail = await readTail(path)
  if (tail === null) return null
  let tokens: number | null = null
  let window: number | null = null
  let end: StopCause | null = null
  for (const line of tail.text.split('\n')) {
    const entry = parseLine(line)
    if (entry === null) continue
    const count = countTokens(entry)
    if (count !== null) {
      tokens = count.tokens
      window = count.window ?? window
      end = null
    }
    end = readError(entry) ?? end
  }
  return { tokens, window, end, size: tail.size }
}

type Json = Readonly<Record<string, unknown>>

async function readTail(path: string): Promise<{ readonly text: string; readonly size: number } | null> {
  try {
    const file = await promises.open(path, 'r')
    try {
      const { size } = await file.stat()
      const length = Math.min(size, TAIL_BYTES)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
      return { text: buffer.toString('utf8', 0, bytesRead), size }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

/** The first line of a tail is usually cut: it does not parse and is passed over. */
function parseLine(line: string): Json | null {
  if (!line.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/**
 * Claude: `message.usage` of an assistant's line. Codex: `token_usage_record`, written before its tool runs, and the event `token_count`, after
 * it, which knows the window. A sub-agent's lines speak of another window.
 */
function countTokens(entry: Json): { readonly tokens: number; readonly window: number | null } | null {
  if (entry.isSidechain === true || entry.isApiErrorMessage === true) return null
  const message = isObject(entry.message) ? entry.message : null
  if (entry.type === 'assistant' && isObject(message?.usage)) {
    const { usage } = message
    const sum = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'].map(
      key => number(usage[key]) ?? 0,
    )
    return { tokens: sum.reduce((a, b) => a + b, 0), window: null }
  }
  const payload = isObject(entry.payload) ? entry.payload : null
  if (entry.type === 'token_usage_record' && isObject(payload?.usage)) return countOf(payload.usage, null)
  if (payload?.type !== 'token_count' || !isObject(payload.info)) return null
  const { last_token_usage: last, model_context_window: window } = payload.info
  return isObject(last) ? countOf(last, number(window)) : null
}

function countOf(usage: Json, window: number | null): ReturnType<typeof countTokens> {
  const tokens = number(usage.total_tokens)
  return tokens === null ? null : { tokens, window }
}

function readError(entry: Json): StopCause | null {
  if (entry.isApiErrorMessage !== true) return null
  const text = textOf(isObject(entry.message) ? entry.message.content : null)
  return text === '' ? null : readStopCause(text)
}

/** What an agent prints when it cannot go on: `Claude AI usage limit reached|1760000000`, `You've hit your limit · resets 3pm`. */
export function readStopCause(text: string): StopCause | null {
  if (/prompt is too long|context (?:window|length|limit) (?:is |was )?(?:exceeded|reached|full)|conversation is too long/i.test(text))
    return { kind: 'exhausted' }
  if (!/\b(?:rate|usage|session|weekly|hour)[ _-]?limit|hit your (?:\w+ )?limit|too many requests|\b429\b/i.test(text)) return null
  const epoch = /\|(\d{10})\b/.exec(text)?.[1]
  if (epoch !== undefined) return { kind: 'rate-limit', resetsAt: new Date(Number(epoch) * 1000).toISOString() }
  const said = /resets?(?: at| in)?:? ([^\n.·|]{1,60})/i.exec(text)?.[1]
  return { kind: 'rate-limit', resetsAt: said?.trim() ?? null }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(part => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('\n')
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
