// Every secret in a text, sorted and apart from each other. Replacements made before are left alone, so that redacting
// twice changes nothing.
import { findArguments } from './find-argument.ts'
import { findAssigned } from './find-assigned.ts'
import { findBlocks } from './find-block.ts'
import { findCredentials } from './find-credential.ts'
import { findDisguised } from './find-disguised.ts'
import { findTokens, tokenKind } from './find-token.ts'
import type { SecretSpan } from './secret-span.ts'

export function findSecrets(text: string): readonly SecretSpan[] {
  if (text.length < 6) return []
  const all = [
    ...findBlocks(text),
    ...findTokens(text),
    ...findCredentials(text),
    ...findArguments(text),
    ...findAssigned(text),
    ...findDisguised(text),
  ]
  if (all.length === 0) return all
  const done = replacements(text)
  const fresh = done.length === 0 ? all : all.filter(span => !done.some(old => span.start < old.end && old.start < span.end))
  return join(fresh.map(span => takeWholeWord(text, span))).map(span => ({
    ...span,
    kind: tokenKind(text.slice(span.start, span.end)) ?? span.kind,
  }))
}

function replacements(text: string): { start: number; end: number }[] {
  if (!text.includes('[redacted:')) return []
  return [...text.matchAll(/\[redacted:[a-z0-9-]{1,40}:[0-9a-f]{8}\]/g)].map(match => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** Overlapping spans become one; the widest names its kind. */
function join(spans: readonly SecretSpan[]): SecretSpan[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end)
  const joined: SecretSpan[] = []
  for (const span of sorted) {
    const last = joined.at(-1)
    if (last === undefined || span.start >= last.end) joined.push(span)
    else if (span.end > last.end) joined[joined.length - 1] = { ...last, end: span.end }
  }
  return joined
}

const MAX_PIECES = 8
const OPENED = /(['"])[^'"\n]{1,256}(?=\1)/y
const CLOSED = /['"][\w+/=.-]{1,256}/y

/** A shell joins what stands side by side: `hun'ter2'` and `'hun'ter2` are one word, and all of it is the secret. */
function takeWholeWord(text: string, span: SecretSpan): SecretSpan {
  let { end } = span
  let quote = text[span.start - 1]
  for (let piece = 0; piece < MAX_PIECES; piece++) {
    const next = text[end]
    if (next !== "'" && next !== '"') break
    const expression = next === quote ? CLOSED : OPENED
    expression.lastIndex = end
    if (!expression.test(text)) break
    end = expression.lastIndex
    quote = next === quote ? '' : next
  }
  return { ...span, end }
}
