// A word with globs or unknown parts, as the segments of the path it may become. Pathname globs stay inside their segment and yield no leading
// dot; an unknown part may be any text.
import { spend } from '../shell/meter.ts'
import type { Word, WordPart } from '../shell/shell-analysis.ts'
import { globToken, type NameToken, nameMatches, textTokens } from './name-pattern.ts'

export interface WordSegment {
  /** The text, when all of it is known. */
  readonly literal: string | null
  /** What it surely begins with. */
  readonly start: string
  /** All that is known of it. */
  readonly text: string
  readonly matches: (name: string) => boolean
  readonly hasUnknown: boolean
  readonly parts: readonly WordPart[]
}

export interface WordSegments {
  /** From the root of the file system, unless the first directories are not known. */
  readonly segments: readonly WordSegment[]
  readonly isPlaced: boolean
  readonly hasUnknown: boolean
}

export interface SegmentOptions {
  /** Where a relative word starts; null: not known. */
  readonly base: string | null
  readonly caseInsensitive: boolean
  /** `shopt -s dotglob` and its like: a glob yields names with a leading dot too. */
  readonly yieldsHidden: boolean
}

const PIECE_WORK = 20

export function wordSegments(word: Word, options: SegmentOptions): WordSegments {
  const pieces = splitParts(word.parts)
  spend(pieces.length * PIECE_WORK)
  const first = pieces[0]
  const isAbsolute = first !== undefined && first.length === 0 && pieces.length > 1
  const startsUnknown = word.parts[0]?.kind === 'unknown'
  const isPlaced = isAbsolute || (!startsUnknown && options.base !== null)
  const base = isAbsolute || !isPlaced ? '' : (options.base ?? '')
  const all = [...base.split('/').map(name => textPiece(name)), ...pieces]
  const segments = collapsePieces(all).map(piece => segmentOf(piece, options))
  return { segments, isPlaced, hasUnknown: word.parts.some(part => part.kind === 'unknown') }
}

type Piece = readonly WordPart[]

function textPiece(value: string): Piece {
  return value === '' ? [] : [{ kind: 'text', value }]
}

function splitParts(parts: readonly WordPart[]): readonly Piece[] {
  const pieces: WordPart[][] = [[]]
  for (const part of parts) {
    if (part.kind !== 'text') {
      pieces.at(-1)?.push(part)
      continue
    }
    for (const [at, value] of part.value.split('/').entries()) {
      if (at > 0) pieces.push([])
      if (value !== '') pieces.at(-1)?.push({ kind: 'text', value })
    }
  }
  return pieces
}

function collapsePieces(pieces: readonly Piece[]): readonly Piece[] {
  const kept: Piece[] = []
  for (const piece of pieces) {
    const text = literalOf(piece)
    if (text === '..') kept.pop()
    else if (text !== '' && text !== '.') kept.push(piece)
  }
  return kept
}

function literalOf(piece: Piece): string | null {
  let text = ''
  for (const part of piece) {
    if (part.kind !== 'text') return null
    text += part.value
  }
  return text
}

function segmentOf(piece: Piece, { caseInsensitive, yieldsHidden }: SegmentOptions): WordSegment {
  const literal = literalOf(piece)
  const first = piece[0]
  const start = first?.kind === 'text' ? first.value : ''
  const text = piece.map(part => (part.kind === 'text' ? part.value : '')).join('')
  const hasUnknown = piece.some(part => part.kind === 'unknown')
  if (literal !== null) {
    const spelt = caseInsensitive ? literal.toLowerCase() : literal
    return { literal, start, text, hasUnknown, parts: piece, matches: name => (caseInsensitive ? name.toLowerCase() : name) === spelt }
  }
  let tokens: readonly NameToken[] | null = null
  const fits = (name: string): boolean => {
    // Few begin so: what the word is made of is seldom looked at.
    if (text.length > name.length || !beginsWith(name, start, caseInsensitive)) return false
    tokens ??= piece.flatMap(part => partTokens(part, caseInsensitive))
    return nameMatches(tokens, name)
  }
  const hidesDots = first?.kind === 'glob' && !yieldsHidden
  return { literal, start, text, hasUnknown, parts: piece, matches: name => !(hidesDots && name.startsWith('.')) && fits(name) }
}

function beginsWith(name: string, start: string, caseInsensitive: boolean): boolean {
  return caseInsensitive ? name.toLowerCase().startsWith(start.toLowerCase()) : name.startsWith(start)
}

function partTokens(part: WordPart, caseInsensitive: boolean): readonly NameToken[] {
  if (part.kind === 'text') return textTokens(part.value, caseInsensitive)
  return [part.kind === 'unknown' ? 'run' : globToken(part.value, caseInsensitive)]
}
