// Globs in linear time, over known text and over text with unknown parts.
// Invariant: `must` never says yes when some value of an unknown part would say no; `may` never says no when some value would say yes.

/** Stands for `*` inside a pattern; the character itself (a Unicode non-character) never occurs in compared text. */
export const ANY_RUN = '\uFDD0'
/** Stands for `?` inside a pattern. */
export const ANY_ONE = '\uFDD1'

export interface Glob {
  /** The text between the stars; one entry means there is no star. */
  readonly segments: readonly string[]
  /** Some segment holds ANY_ONE. */
  readonly hasSingle: boolean
  /** A trailing ` *`: end of text, or a blank and anything. `segments` then hold what stands before it. */
  readonly wordTail: boolean
}

/** Text with unknown parts between its chunks: `chunks[0] unknown chunks[1] unknown ...`. One chunk means the text is known. */
export interface PartlyKnownText {
  readonly chunks: readonly string[]
  /** `soft[i]`: unknown part i is whole words that may be absent; when present a blank comes first, which no chunk holds. */
  readonly soft: readonly boolean[]
}

export function compileGlob(pattern: string, options: { readonly question?: boolean } = {}): Glob {
  let marked = pattern.replaceAll('*', ANY_RUN)
  if (options.question === true) marked = marked.replaceAll('?', ANY_ONE)
  return globOf(marked)
}

/** From a pattern whose wildcards are already marked with ANY_RUN and ANY_ONE, so that a literal star can stand in it. */
export function globOf(marked: string): Glob {
  const wordTail = marked.endsWith(` ${ANY_RUN}`)
  const body = wordTail ? marked.slice(0, -2) : marked
  return { segments: splitRuns(body), hasSingle: marked.includes(ANY_ONE), wordTail }
}

export function globMatches(glob: Glob, text: string): boolean {
  const { segments } = glob
  const first = segments[0] ?? ''
  if (!startsAt(text, first, 0, glob.hasSingle)) return false
  if (segments.length === 1) return first.length === text.length || (glob.wordTail && isBoundary(text, first.length))
  return endsAfter(glob, text, middleEnd(glob, text, first.length))
}

/** Does the pattern match whatever the unknown parts turn out to be? */
export function globMustMatch(glob: Glob, text: PartlyKnownText): boolean {
  const { chunks } = text
  if (chunks.length === 1) return globMatches(glob, chunks[0] ?? '')
  const { segments, hasSingle } = glob
  const first = segments[0] ?? ''
  const head = chunks[0] ?? ''
  if (!startsAt(head, first, 0, hasSingle)) return false
  if (segments.length === 1) return glob.wordTail && endsAtBoundary(text, 0, first.length)
  let chunk = 0
  let at = first.length
  for (let index = 1; index < segments.length - 1; index++) {
    const found = findInChunks(text, segments[index] ?? '', { chunk, at, hasSingle })
    if (found === null) return false
    chunk = found.chunk
    at = found.at + (segments[index] ?? '').length
  }
  return lastMustMatch(glob, text, { chunk, at, hasSingle })
}

/** Does the pattern match for some value of the unknown parts? */
export function globMayMatch(glob: Glob, text: PartlyKnownText): boolean {
  if (text.chunks.length === 1) return globMatches(glob, text.chunks[0] ?? '')
  return spellings(text).some(chunks => (chunks.length === 1 ? globMatches(glob, chunks[0] ?? '') : mayMatch(glob, chunks)))
}

function splitRuns(text: string): string[] {
  const parts = text.split(ANY_RUN)
  // `**` is `*`: empty middles say nothing.
  return parts.filter((part, index) => part !== '' || index === 0 || index === parts.length - 1)
}

/** Where the search for the last segment may start, or -1. */
function middleEnd(glob: Glob, text: string, from: number): number {
  let at = from
  for (let index = 1; index < glob.segments.length - 1; index++) {
    const segment = glob.segments[index] ?? ''
    const found = find(text, segment, at, glob.hasSingle)
    if (found === -1) return -1
    at = found + segment.length
  }
  return at
}

function endsAfter(glob: Glob, text: string, from: number): boolean {
  if (from === -1) return false
  const last = glob.segments[glob.segments.length - 1] ?? ''
  const end = text.length - last.length
  if (end >= from && startsAt(text, last, end, glob.hasSingle)) return true
  if (!glob.wordTail) return false
  for (let at = find(text, last, from, glob.hasSingle); at !== -1; at = find(text, last, at + 1, glob.hasSingle)) {
    if (isBoundary(text, at + last.length)) return true
    if (at >= end) return false
  }
  return false
}

function isBoundary(text: string, at: number): boolean {
  return at === text.length || text.charCodeAt(at) === 32
}

interface Cursor {
  readonly chunk: number
  readonly at: number
  readonly hasSingle: boolean
}

function findInChunks(text: PartlyKnownText, segment: string, from: Cursor): { chunk: number; at: number } | null {
  for (let chunk = from.chunk; chunk < text.chunks.length; chunk++) {
    const at = find(text.chunks[chunk] ?? '', segment, chunk === from.chunk ? from.at : 0, from.hasSingle)
    if (at !== -1) return { chunk, at }
  }
  return null
}

function lastMustMatch(glob: Glob, text: PartlyKnownText, from: Cursor): boolean {
  const last = glob.segments[glob.segments.length - 1] ?? ''
  const lastChunk = text.chunks.length - 1
  const tail = text.chunks[lastChunk] ?? ''
  const end = tail.length - last.length
  if (end >= (from.chunk === lastChunk ? from.at : 0) && startsAt(tail, last, end, from.hasSingle)) return true
  if (!glob.wordTail) return false
  for (let chunk = from.chunk; chunk <= lastChunk; chunk++) {
    const body = text.chunks[chunk] ?? ''
    const start = chunk === from.chunk ? from.at : 0
    for (let at = find(body, last, start, from.hasSingle); at !== -1; at = find(body, last, at + 1, from.hasSingle)) {
      if (endsAtBoundary(text, chunk, at + last.length)) return true
      if (at + last.length >= body.length) break
    }
  }
  return false
}

/** Is the place after `at` certainly the end of a word? */
function endsAtBoundary(text: PartlyKnownText, chunk: number, at: number): boolean {
  const body = text.chunks[chunk] ?? ''
  if (at < body.length) return body.charCodeAt(at) === 32
  if (chunk === text.chunks.length - 1) return true
  if (text.soft[chunk] !== true) return false
  const next = text.chunks[chunk + 1] ?? ''
  return next === '' ? endsAtBoundary(text, chunk + 1, 0) : next.charCodeAt(0) === 32
}

/** The text with its first soft unknown part present and absent; further soft unknown parts may swallow the blank before them, which only widens. */
function spellings(text: PartlyKnownText): string[][] {
  const chunks = [...text.chunks]
  const first = text.soft[0] === true ? 0 : -1
  if (first === -1) return [chunks]
  const head = chunks[0] ?? ''
  return [
    [`${head} `, ...chunks.slice(1)],
    [head + (chunks[1] ?? ''), ...chunks.slice(2)],
  ]
}

function mayMatch(glob: Glob, chunks: readonly string[]): boolean {
  if (glob.segments.length === 1) {
    const literal = glob.segments[0] ?? ''
    if (coveredBy(chunks, literal)) return true
    return glob.wordTail && mayOverlap([`${literal} `, ''], chunks)
  }
  if (mayOverlap(glob.segments, chunks)) return true
  return glob.wordTail && mayOverlap([...glob.segments.slice(0, -1), `${glob.segments[glob.segments.length - 1] ?? ''} `, ''], chunks)
}

/** Both sides hold at least one run of anything: only what they begin and end with can keep them apart. */
function mayOverlap(pattern: readonly string[], chunks: readonly string[]): boolean {
  return samePrefix(pattern[0] ?? '', chunks[0] ?? '') && sameSuffix(pattern[pattern.length - 1] ?? '', chunks[chunks.length - 1] ?? '')
}

function samePrefix(pattern: string, text: string): boolean {
  const length = Math.min(pattern.length, text.length)
  for (let index = 0; index < length; index++) {
    if (!sameUnit(pattern.charCodeAt(index), text.charCodeAt(index))) return false
  }
  return true
}

function sameSuffix(pattern: string, text: string): boolean {
  const length = Math.min(pattern.length, text.length)
  for (let index = 1; index <= length; index++) {
    if (!sameUnit(pattern.charCodeAt(pattern.length - index), text.charCodeAt(text.length - index))) return false
  }
  return true
}

/** Can the unknown parts be filled so that the text becomes `literal`? `literal` may hold ANY_ONE. */
function coveredBy(chunks: readonly string[], literal: string): boolean {
  const first = chunks[0] ?? ''
  const last = chunks[chunks.length - 1] ?? ''
  if (first.length + last.length > literal.length) return false
  if (!samePrefix(literal, first) || !sameSuffix(literal, last)) return false
  let at = first.length
  const end = literal.length - last.length
  for (let index = 1; index < chunks.length - 1; index++) {
    const chunk = chunks[index] ?? ''
    while (at + chunk.length <= end && !samePrefix(literal.slice(at, at + chunk.length), chunk)) at++
    if (at + chunk.length > end) return false
    at += chunk.length
  }
  return true
}

function startsAt(text: string, segment: string, at: number, hasSingle: boolean): boolean {
  if (!hasSingle) return text.startsWith(segment, at)
  if (at + segment.length > text.length) return false
  for (let index = 0; index < segment.length; index++) {
    if (!sameUnit(segment.charCodeAt(index), text.charCodeAt(at + index))) return false
  }
  return true
}

function find(text: string, segment: string, from: number, hasSingle: boolean): number {
  if (!hasSingle) return text.indexOf(segment, from)
  for (let at = from; at + segment.length <= text.length; at++) {
    if (startsAt(text, segment, at, true)) return at
  }
  return -1
}

function sameUnit(pattern: number, text: number): boolean {
  return pattern === text || pattern === 0xfdd1
}
