// A body in two parts: its form, which many bodies have in common and which is kept once, and what is its own.
// Invariant: both parts together are the body, byte for byte; a body of which that is not certain is all its own.
import { type BodyHead, HeadTexts, readBodyHead } from './body-head.ts'
import { CLOSE_BRACE, COMMA, endOfText, endOfValue, OPEN_BRACE, QUOTE } from './json-text.ts'

export interface SplitBody {
  /** JSON of the fields that others have too; null: not worth to be kept apart. */
  readonly form: string | null
  /** JSON of the rest. */
  readonly own: string
  /** Of the whole body. */
  readonly head: BodyHead
}

/** A form made ready to be put together with what is a body's own. */
export interface BodyForm {
  readonly fields: readonly { readonly key: string; readonly text: string }[]
  readonly head: BodyHead
}

/** Fields of a decision that say the same for many calls: who, where, by which rule, and what the agent was told of it. */
const SHARED: ReadonlySet<string> = new Set(
  'agent agentId alsoAs answer askedBy attended cwd event judge line nativeEvent parser rawTool reason root rule'.split(' '),
)
/** These are shared where they say what they nearly always say. */
const USUAL: ReadonlyMap<string, string> = new Map([
  ['commitment', 'null'],
  ['decidedBy', '0'],
  ['hooks', '[]'],
])
/** Shorter ones take more than they give. */
const SHORTEST_FORM = 64
const COLON = 0x3a

export function splitBody(body: string): SplitBody {
  const found = new HeadTexts()
  const shared: string[] = []
  const own: string[] = []
  let last = ''
  let at = 1
  while (body.charCodeAt(at) === QUOTE) {
    const keyEnd = endOfText(body, at)
    const end = endOfValue(body, keyEnd + 1)
    const key = body.slice(at + 1, keyEnd - 1)
    // Keys are in order as they stand here only where none is escaped.
    if (key <= last || key.includes('\\') || body.charCodeAt(keyEnd) !== COLON) return allOwn(body)
    const isShared = SHARED.has(key) || USUAL.get(key) === body.slice(keyEnd + 1, end)
    ;(isShared ? shared : own).push(body.slice(at, end))
    found.see(body, at, keyEnd, end)
    last = key
    at = end + 1
  }
  const form = `{${shared.join(',')}}`
  if (form.length < SHORTEST_FORM || at !== body.length) return allOwn(body)
  return { form, own: `{${own.join(',')}}`, head: found.head() }
}

function allOwn(body: string): SplitBody {
  return { form: null, own: body, head: readBodyHead(body) }
}

export function parseForm(form: string): BodyForm {
  const fields: { key: string; text: string }[] = []
  for (let at = 1; form.charCodeAt(at) === QUOTE; ) {
    const keyEnd = endOfText(form, at)
    const end = endOfValue(form, keyEnd + 1)
    fields.push({ key: form.slice(at + 1, keyEnd - 1), text: form.slice(at, end) })
    at = end + 1
  }
  return { fields, head: readBodyHead(form) }
}

/** A whole body, with what of it is part of the head of its entry. */
export interface JoinedBody {
  readonly body: string
  readonly head: BodyHead
}

export function joinBody(form: BodyForm, own: string): string {
  return readJoined(form, own).body
}

/**
 * What is its own is copied in pieces, cut where a field of the form belongs. Text that nobody of ours wrote is given back as it is: no other
 * text may come out as the same body.
 */
export function readJoined({ fields, head }: BodyForm, own: string): JoinedBody {
  const found = new HeadTexts()
  const last = own.length - 1
  let body = ''
  let next = 0
  let from = 1
  let at = 1
  while (own.charCodeAt(at) === QUOTE) {
    const keyEnd = endOfText(own, at)
    const end = endOfValue(own, keyEnd + 1)
    if (end !== last && own.charCodeAt(end) !== COMMA) break
    let field = fields[next]
    if (field !== undefined) {
      const key = own.slice(at + 1, keyEnd - 1)
      if (field.key < key && at > from) {
        body += `,${own.slice(from, at - 1)}`
        from = at
      }
      for (; field !== undefined && field.key < key; field = fields[++next]) body += `,${field.text}`
    }
    found.see(own, at, keyEnd, end)
    at = end + 1
  }
  if (own !== '{}') {
    if (at !== own.length || own.charCodeAt(0) !== OPEN_BRACE || own.charCodeAt(last) !== CLOSE_BRACE) return { body: own, head }
    body += `,${own.slice(from, last)}`
  }
  for (let field = fields[next]; field !== undefined; field = fields[++next]) body += `,${field.text}`
  return { body: `{${body.slice(1)}}`, head: found.head(head) }
}
