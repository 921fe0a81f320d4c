// Every secret in a text, sorted and apart from each other. Replacements made before are left alone, so that redacting
// twice changes nothing.
import { findArguments } from './find-argument.ts'
import { findAssigned } from './find-assigned.ts'
import { findBlocks } from './find-block.ts'
import { findCredentials } from './find-credential.ts'
import { findTokens, tokenKind } from './find-token.ts'
import type { SecretSpan } from './secret-span.ts'

export function findSecrets(text: string): readonly SecretSpan[] {
  if (text.length < 6) return []
  const all = [...findBlocks(text), ...findTokens(text), ...findCredentials(text), ...findArguments(text), ...findAssigned(text)]
  if (all.length === 0) return all
  const done = replacements(text)
  const fresh = done.length === 0 ? all : all.filter(span => !done.some(old => span.start < old.end && old.start < span.end))
  return join(fresh).map(span => ({ ...span, kind: tokenKind(text.slice(span.start, span.end)) ?? span.kind }))
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
