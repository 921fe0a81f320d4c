// The glob of path rules: `*` is any run of characters, `/` included; `?` one character but no `/`; `**/` at the start of
// a segment is any number of directories, none included. All else is literal: a path may well hold brackets.
// Linear in pattern times text: only the last wildcard is ever tried again, because the earliest place that reaches it
// can do everything that a later one can.

type Token =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'star' }
  /** From the start of a segment to the start of it or of any later one. */
  | { readonly kind: 'directories' }

export interface PathGlob {
  /** The characters before the first wildcard: most paths are told apart by them. */
  readonly prefix: string
  readonly tokens: readonly Token[]
}

export interface PathGlobOptions {
  /** Claude-format rules have no `?`. */
  readonly literalQuestionMark?: boolean
}

export function compilePathGlob(pattern: string, options: PathGlobOptions = {}): PathGlob {
  const tokens: Token[] = []
  let at = 0
  while (at < pattern.length) {
    const char = pattern.charAt(at)
    const startsSegment = at === 0 || pattern.charAt(at - 1) === '/'
    if (startsSegment && pattern.startsWith('**/', at)) {
      if (tokens.at(-1)?.kind !== 'directories') tokens.push({ kind: 'directories' })
      at += 3
      continue
    }
    if (char === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' })
    } else if (char === '?' && !options.literalQuestionMark) tokens.push({ kind: 'one' })
    else tokens.push({ kind: 'char', char })
    at += 1
  }
  const wild = tokens.findIndex(token => token.kind !== 'char')
  const literal = wild < 0 ? tokens : tokens.slice(0, wild)
  const prefix = literal.map(token => (token.kind === 'char' ? token.char : '')).join('')
  return { prefix, tokens: tokens.slice(literal.length) }
}

export function pathGlobMatches({ prefix, tokens }: PathGlob, text: string): boolean {
  if (!text.startsWith(prefix)) return false
  let token = 0
  let at = prefix.length
  let retryToken = -1
  let retryAt = 0
  while (at < text.length || token < tokens.length) {
    const current = tokens[token]
    if (current?.kind === 'star' || current?.kind === 'directories') {
      retryToken = token
      retryAt = at
      token += 1
      continue
    }
    if (at < text.length && current !== undefined && matchesChar(current, text.charAt(at))) {
      token += 1
      at += 1
      continue
    }
    if (retryToken < 0) return false
    retryAt = nextStart(tokens[retryToken], text, retryAt)
    if (retryAt < 0) return false
    token = retryToken + 1
    at = retryAt
  }
  return true
}

function matchesChar(token: Token, char: string): boolean {
  return token.kind === 'one' ? char !== '/' : token.kind === 'char' && token.char === char
}

/** Where a wildcard may end next, or -1. */
function nextStart(wildcard: Token | undefined, text: string, from: number): number {
  if (wildcard?.kind === 'star') return from < text.length ? from + 1 : -1
  const slash = text.indexOf('/', from)
  return slash < 0 ? -1 : slash + 1
}
