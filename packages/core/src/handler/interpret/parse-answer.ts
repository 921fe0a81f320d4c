// What kind of thing a hook printed. Exactly one JSON object (or the word "Continue") is an answer; everything else is text.
// A text that holds an answer among other words is garbled, and so is other JSON ("Reject", a list): taking it as plain text would lose a deny.

import { isShallow } from '../../event/is-shallow.ts'
import { isObject } from '../../value/is-object.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export type ParsedAnswer =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly value: JsonObject | 'Continue' }
  /** JSON that is no answer; for events where text is context it is text like any other. */
  | { readonly kind: 'value'; readonly text: string; readonly why: string }
  | { readonly kind: 'garbled'; readonly why: string }

export function parseAnswer(output: string): ParsedAnswer {
  // Also removes a byte order mark.
  const text = output.trim()
  if (text === '') return { kind: 'empty' }
  const value = parseJson(text)
  if (value === 'Continue' || isObject(value)) return { kind: 'json', value }
  if (typeof value === 'string') return parseInner(value, text)
  // A count that some program printed.
  if (typeof value === 'number') return { kind: 'text', text }
  if (value !== undefined) return noAnswer(text)
  const lines = text.split('\n')
  if (lines.some(holdsAnswer)) return { kind: 'garbled', why: 'its answer holds other text beside the JSON' }
  if (text.startsWith('{') && !lines.every(isLogLine))
    return { kind: 'garbled', why: 'its answer begins like JSON but is not one JSON object' }
  return { kind: 'text', text }
}

/** Scripts that serialise twice print a JSON string with the answer inside. */
function parseInner(inner: string, text: string): ParsedAnswer {
  const value = parseJson(inner.trim())
  return isObject(value) ? { kind: 'json', value } : noAnswer(text)
}

const SHOWN = 80

function noAnswer(text: string): ParsedAnswer {
  return { kind: 'value', text, why: `its answer is ${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}, not a JSON object` }
}

/** undefined: not JSON, or nested too deeply to be an answer. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isShallow(value) ? value : undefined
  } catch {
    return undefined
  }
}

const ANSWER_KEYS = [
  'decision',
  'permissionDecision',
  'hookSpecificOutput',
  'permission',
  'Reject',
  'ModifyInput',
  'continue',
  'modified_input',
]

function holdsAnswer(line: string): boolean {
  const start = line.indexOf('{')
  if (start === -1) return false
  const value = parseJson(line.slice(start).trim())
  return isObject(value) && ANSWER_KEYS.some(key => Object.hasOwn(value, key))
}

/** Programs that log in JSON print one object a line. */
function isLogLine(line: string): boolean {
  return line.trim() === '' || isObject(parseJson(line))
}
