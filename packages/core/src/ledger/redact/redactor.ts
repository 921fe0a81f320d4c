// Takes secrets out of what is recorded, before it is hashed. A secret becomes `[redacted:<kind>:<8 hex digits>]`; the
// digits are a keyed hash, so that equal secrets can be told to be equal and nobody without the key can guess them.
import { createHmac } from 'node:crypto'
import { canonicalJson } from '../canonical-json.ts'
import { holdsUserAndPassword } from './find-credential.ts'
import { findSecrets } from './find-secrets.ts'
import { tokenKind } from './find-token.ts'
import { mayHoldSecret } from './may-hold-secret.ts'
import { replaceAgain } from './replace-again.ts'
import { fitsKind, isSecretName, kindOfName } from './secret-name.ts'
import type { SecretSpan } from './secret-span.ts'
import { isPlaceholder, isSecretValue } from './secret-value.ts'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

export interface Redactor {
  redactText(text: string): string
  /** Names of members are looked at too; the shape stays. */
  redactValue(value: Json): Json
  /** The same from canonical JSON to canonical JSON: where nothing in it can be a secret it is not even read. */
  redactJson(json: string): string
  /** A quick look: no secret is in it, neither as text nor as JSON. */
  isClean(text: string): boolean
}

/** JSON nested deeper than this is not recorded. */
const deepest = 200

/** In a diff a mark stands before each line, where a command or a token would begin. */
const HUNK = /^@@ -\d/m
const MARK = /^[+-]/gm

export function createRedactor(options: { readonly key: Uint8Array }): Redactor {
  /** In the value that is being redacted; nothing is kept longer. */
  let found: Map<string, string> | null = null
  const replace = (secret: string, kind: string): string => {
    const digest = createHmac('sha256', options.key).update(secret).digest('hex')
    const shown = `[redacted:${kind}:${digest.slice(0, 8)}]`
    found?.set(secret, shown)
    return shown
  }
  const redactPlain = (text: string): string => {
    const out = replaceSpans(text, findSecrets(text), replace)
    return HUNK.test(text) ? replaceSpans(out, findSecrets(out.replace(MARK, ' ')), replace) : out
  }
  const redactText = (text: string): string => (mayHoldSecret(text) ? redactJsonText(redactPlain(text), inText) : text)
  const lookName = createNames(redactText)
  /** A text may hold labels and messages; an event's own members hold values. */
  const inText: Tools = { redactText, replace, lookName, isSecret: text => isSecretValue(text, 'quoted') }
  const inEvent: Tools = { ...inText, isSecret: text => text !== '' && !isPlaceholder(text) }
  const redactValue = (value: Json): Json => {
    const known = new Map<string, string>()
    found = known
    try {
      return replaceAgain(redactJson(value, inEvent, 0), known)
    } finally {
      found = null
    }
  }
  return {
    redactText,
    redactValue,
    redactJson: json => (mayHoldSecret(json) ? canonicalJson(redactValue(JSON.parse(json))) : json),
    isClean: text => !mayHoldSecret(text),
  }
}

interface MemberName {
  /** The name itself, redacted. */
  readonly shown: string
  readonly isSecret: boolean
}

/** Names of members repeat from event to event. One that holds a secret is not kept. */
function createNames(redactText: (text: string) => string): (name: string) => MemberName {
  const known = new Map<string, MemberName>()
  return name => {
    const found = known.get(name)
    if (found !== undefined) return found
    const looked = { shown: redactText(name), isSecret: isSecretName(name) }
    if (looked.shown === name && name.length <= 64 && known.size < 4096) known.set(name, looked)
    return looked
  }
}

interface Tools {
  readonly lookName: (name: string) => MemberName
  /** Whether a text under a secret's name is one. */
  readonly isSecret: (text: string) => boolean
  readonly redactText: (text: string) => string
  readonly replace: (secret: string, kind: string) => string
}

function replaceSpans(text: string, spans: readonly SecretSpan[], replace: Tools['replace']): string {
  let out = ''
  let at = 0
  for (const span of spans) {
    out += text.slice(at, span.start) + replace(text.slice(span.start, span.end), span.kind)
    at = span.end
  }
  return out + text.slice(at)
}

/** Text that is one JSON value is read as such too; it is written anew only where that finds more. */
function redactJsonText(text: string, tools: Tools): string {
  if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text)) return text
  const value = parseJson(text)
  if (value === undefined) return text
  const redacted = JSON.stringify(redactJson(value, tools, 0))
  return redacted === JSON.stringify(value) ? text : redacted
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function redactJson(value: Json, tools: Tools, depth: number): Json {
  if (typeof value === 'string') return tools.redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return '[redacted:nested-too-deep:00000000]'
  if (isList(value)) return redactList(value, tools, depth)
  const pair = secretPair(value)
  const out: [string, Json][] = []
  for (const [name, member] of Object.entries(value)) {
    const known = tools.lookName(name)
    const isSecret = isEncodedLogin(name, member) || (known.isSecret && !isSchema(member))
    const kind = name === pair?.member ? pair.kind : isSecret ? kindOfName(name) : null
    out.push([known.shown, kind === null ? redactJson(member, tools, depth + 1) : redactWhole(member, kind, tools, depth + 1)])
  }
  return Object.fromEntries(out)
}

/** `{"name": "DB_PASSWORD", "value": "..."}` is a member in two pieces. */
function secretPair(object: { readonly [name: string]: Json }): { member: string; kind: string } | null {
  const name = object.name ?? object.key ?? object.Name ?? object.Key ?? object.variable ?? object.header
  if (typeof name !== 'string' || !isSecretName(name)) return null
  const member = ['value', 'Value', 'val', 'default'].find(one => Object.hasOwn(object, one))
  return member === undefined ? null : { member, kind: kindOfName(name) }
}

/** Docker and npm keep `user:password` in base64 under this name. */
function isEncodedLogin(name: string, member: Json): boolean {
  return (name === 'auth' || name === '_auth') && typeof member === 'string' && holdsUserAndPassword(member)
}

/** A description of a field called `password` holds no password. */
function isSchema(value: Json): boolean {
  if (typeof value !== 'object' || value === null || isList(value)) return false
  return typeof value.type === 'string' || typeof value.$ref === 'string' || Array.isArray(value.anyOf) || Array.isArray(value.enum)
}

/** Everything below a secret's name goes, whatever its type; true, false and null tell nothing. */
function redactWhole(value: Json, kind: string, tools: Tools, depth: number): Json {
  if (typeof value === 'number') return Math.abs(value) < 1000 ? value : tools.replace(String(value), kind)
  if (typeof value === 'string') {
    const scheme = /^(?:Bearer|Basic|Token|Digest)\s+/i.exec(value)?.[0] ?? ''
    const secret = value.slice(scheme.length)
    return !tools.isSecret(secret) || !fitsKind(secret, kind) ? value : scheme + tools.replace(secret, tokenKind(secret) ?? kind)
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return '[redacted:nested-too-deep:00000000]'
  if (isList(value)) return value.map(one => redactWhole(one, kind, tools, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [tools.lookName(name).shown, redactWhole(one, kind, tools, depth + 1)]),
  )
}

/** A list of words may be a command line or a header in two pieces: it is read as one text too. */
function redactList(list: readonly Json[], tools: Tools, depth: number): Json {
  const words = list.filter(one => typeof one === 'string')
  if (words.length < list.length || list.length < 2) return list.map(one => redactJson(one, tools, depth + 1))
  const [first, second] = words
  if (words.length === 2 && first !== undefined && second !== undefined && isSecretName(first) && !first.startsWith('-')) {
    return [first, redactWhole(second, kindOfName(first), tools, depth + 1)]
  }
  return redactWords(words, tools)
}

function redactWords(words: readonly string[], tools: Tools): Json {
  const spans = words.length > 1000 ? [] : findSecrets(words.join(' '))
  let at = 0
  return words.map(word => {
    const start = at
    at += word.length + 1
    const whole = spans.find(span => span.start < start + word.length && start < span.end)
    if (whole === undefined) return tools.redactText(word)
    const from = Math.max(0, whole.start - start)
    const to = Math.min(word.length, whole.end - start)
    return word.slice(0, from) + tools.replace(word.slice(from, to), whole.kind) + tools.redactText(word.slice(to))
  })
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
