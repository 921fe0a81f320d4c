// A secret that was recognised by the words around it stands elsewhere in the same record without them: a part of a command, a path, a reason.
// Once known, it goes everywhere.
import type { Json } from './redactor.ts'

/** Shorter ones are words that stand for themselves elsewhere. */
const SHORTEST = 8
/** A line of a secret of several lines tells it too. */
const MIN_LINE = 16
const SHOWN = /(\[redacted:[a-z0-9-]+:[0-9a-f]{8}\])/

/** `found`: what each secret was replaced by. */
export function replaceAgain(value: Json, found: ReadonlyMap<string, string>): Json {
  const secrets = [...found].flatMap(([secret, shown]) => piecesOf(secret).map(piece => [piece, shown] as const))
  if (secrets.length === 0) return value
  secrets.sort(([a], [b]) => b.length - a.length)
  return replaceIn(value, secrets)
}

function piecesOf(secret: string): readonly string[] {
  const lines = secret.split(/\s*\n\s*/)
  if (lines.length > 1) return lines.filter(line => line.length >= MIN_LINE && !line.startsWith('-----'))
  return secret.length >= SHORTEST ? [secret] : []
}

function replaceIn(value: Json, secrets: readonly (readonly [string, string])[]): Json {
  if (typeof value === 'string') return replaceText(value, secrets)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(one => replaceIn(one, secrets))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaceIn(one, secrets)]))
}

function replaceText(text: string, secrets: readonly (readonly [string, string])[]): string {
  let out = text
  for (const [secret, shown] of secrets) {
    if (!out.includes(secret)) continue
    const pieces = out.split(SHOWN)
    // Every other one is what stands for a secret already.
    out = pieces.map((piece, at) => (at % 2 === 0 ? piece.replaceAll(secret, () => shown) : piece)).join('')
  }
  return out
}
