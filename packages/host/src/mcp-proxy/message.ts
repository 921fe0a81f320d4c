// JSON-RPC messages as MCP sends them. What the client says is read strictly: a message that another parser could understand in another way
// is not one that can be judged.
import { errorText, isObject } from '@belay/core/value'
import { parseStrictJson } from '../wire/strict-json.ts'

export type Json = Readonly<Record<string, unknown>>
export type RequestId = string | number

/** The messages of one line or body; more than one, or a list of one, is a batch. */
export type Parsed =
  | { readonly ok: true; readonly messages: readonly unknown[]; readonly isBatch: boolean }
  | { readonly ok: false; readonly why: string }

const MAX_LEVELS = 512

export function parseClientText(text: string): Parsed {
  const parsed = parseStrictJson(text, { maxDepth: MAX_LEVELS })
  if (!parsed.ok) return { ok: false, why: `${parsed.problem} (at character ${parsed.offset})` }
  const read = asMessages(parsed.value)
  const disguised = read.messages.map(findDisguise).find(key => key !== null)
  return disguised === undefined || disguised === null
    ? { ok: true, ...read }
    : { ok: false, why: `the key ${JSON.stringify(disguised)} could be taken for another` }
}

export function parseServerText(text: string): Parsed {
  try {
    return { ok: true, ...asMessages(JSON.parse(text)) }
  } catch (error) {
    return { ok: false, why: errorText(error) }
  }
}

function asMessages(value: unknown): { readonly messages: readonly unknown[]; readonly isBatch: boolean } {
  return Array.isArray(value) ? { messages: value, isBatch: true } : { messages: [value], isBatch: false }
}

const ENVELOPE = new Set(['jsonrpc', 'id', 'method', 'params'])
const CALL = new Set(['name', 'arguments'])

/** Some parsers match keys whatever their case: `Method` beside `method` would be another message to them. */
function findDisguise(message: unknown): string | null {
  if (!isObject(message)) return null
  return disguisedKey(message, ENVELOPE) ?? (isObject(message.params) ? disguisedKey(message.params, CALL) : null)
}

function disguisedKey(value: Json, known: ReadonlySet<string>): string | null {
  return Object.keys(value).find(key => !known.has(key) && known.has(key.toUpperCase().toLowerCase())) ?? null
}

/** null: a notification, or an id that nobody can answer to. */
export function idOf({ id }: Json): RequestId | null {
  if (typeof id === 'string') return id
  return typeof id === 'number' && Number.isFinite(id) && (Number.isSafeInteger(id) || !Number.isInteger(id)) ? id : null
}

/** 1 and "1" are two requests. */
export function keyOf(id: RequestId): string {
  return typeof id === 'number' ? `n${id}` : `s${id}`
}

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const INVALID_PARAMS = -32602
/** The server is gone or cannot be reached. */
export const SERVER_LOST = -32000

export function errorAnswer(id: RequestId | null, code: number, message: string): Json {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/** A result rather than an error: models read results. */
export function refusedCall(id: RequestId, reason: string): Json {
  return { jsonrpc: '2.0', id, result: { content: [textBlock(reason)], isError: true } }
}

export function textBlock(text: string): Json {
  return { type: 'text', text }
}
