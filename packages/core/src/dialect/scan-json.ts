// JSON text -> tokens with their places, comments told apart. What a string or a number is worth, JSON.parse itself decides.
import type { Scalar } from './config-node.ts'

export type JsonToken =
  | { readonly kind: '{' | '}' | '[' | ']' | ',' | ':' | 'comment' | 'unknown' | 'end'; readonly at: number }
  | { readonly kind: 'scalar'; readonly at: number; readonly value: Scalar }
  | { readonly kind: 'error'; readonly at: number; readonly message: string }

/** Returns a function that gives the next token each time it is called, `end` for ever after the last. */
export function scanJson(text: string): () => JsonToken {
  let next = 0
  return () => {
    const at = skipBlank(text, next)
    const found = readToken(text, at)
    next = found.end
    return found.token
  }
}

interface Found {
  readonly token: JsonToken
  readonly end: number
}

/** JSON's own four, not everything that Unicode calls blank. */
function skipBlank(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return at
}

function readToken(text: string, at: number): Found {
  const char = text[at]
  switch (char) {
    case undefined:
      return { token: { kind: 'end', at }, end: at }
    case '{':
    case '}':
    case '[':
    case ']':
    case ',':
    case ':':
      return { token: { kind: char, at }, end: at + 1 }
    case '"':
      return readString(text, at)
    case '/':
      return readComment(text, at)
    default:
      return readWord(text, at)
  }
}

function readString(text: string, at: number): Found {
  let end = at + 1
  while (end < text.length && text[end] !== '"' && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1
  if (text[end] !== '"') return failure(at, 'the string has no end on this line', text.length)
  const value = parseScalar(text.slice(at, end + 1))
  return value === undefined
    ? failure(at, 'a bad escape or a control character in the string', end + 1)
    : { token: { kind: 'scalar', at, value }, end: end + 1 }
}

function readComment(text: string, at: number): Found {
  const isLine = text[at + 1] === '/'
  if (!isLine && text[at + 1] !== '*') return { token: { kind: 'unknown', at }, end: at + 1 }
  const close = isLine ? text.indexOf('\n', at) : text.indexOf('*/', at + 2)
  if (close === -1 && !isLine) return failure(at, 'the comment has no end', text.length)
  return { token: { kind: 'comment', at }, end: close === -1 ? text.length : isLine ? close : close + 2 }
}

const WORD = /[^\s{}[\],:"/]+/y

/** A number, true, false or null. */
function readWord(text: string, at: number): Found {
  WORD.lastIndex = at
  const word = WORD.exec(text)?.[0] ?? text[at] ?? ''
  const value = parseScalar(word)
  return { token: value === undefined ? { kind: 'unknown', at } : { kind: 'scalar', at, value }, end: at + word.length }
}

function parseScalar(text: string): Scalar | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failure(at: number, message: string, end: number): Found {
  return { token: { kind: 'error', at, message }, end }
}
