// Self-protection of files whose name is only partly known (`rm .b*/genesis.key`, `cat "$d"/.belay/run/token`). What the known text
// says is certain; then the disk says what a glob becomes; else a word that is aimed at a protected place asks.
import { spend } from '../shell/meter.ts'
import type { Word } from '../shell/shell-analysis.ts'
import { expandGlob } from './expand-glob.ts'
import {
  isTree,
  judgePlace,
  type PathAccess,
  type ProtectedPaths,
  type ProtectedRow,
  type Protection,
  protectPath,
  protectText,
  rowsAt,
  stricter,
} from './protect-path.ts'
import type { ProtectedPlace } from './protected-place.ts'
import { type WordSegment, type WordSegments, wordSegments } from './word-segments.ts'

export interface PlacedWord {
  readonly word: Word
  /** Where a relative path starts; null: not known. */
  readonly base: string | null
  readonly access: PathAccess
  /** Globs yield names with a leading dot (`shopt -s dotglob`). */
  readonly yieldsHidden?: boolean
}

/** `$BELAY_HOME/x`: the value is not known here, what it means is. */
const OWN_VARIABLE = /\$\{?(?:BELAY|MENTU)_(?:HOME|DIR|SOCKET)\b/

/** The end of a path whose beginning is not known. */
const OWN_SECRET = /(?:^|\/)(?:run\/(?:token|(?:daemon|shim)\.sock)|keys\/signing[^/]*)$/

export function protectWord(given: PlacedWord, protectedPaths: ProtectedPaths): Protection | null {
  const { word, base, access, yieldsHidden = false } = given
  const shape = wordSegments(word, { base, caseInsensitive: protectedPaths.caseInsensitive, yieldsHidden })
  const { must, may } = reachedPlaces(access, shape, protectedPaths)
  let found: Protection | null = null
  for (const place of must) found = stricter(found, judgePlace(access, word.source, place))
  if (found?.decision === 'deny') return found
  if (word.value === null && OWN_VARIABLE.test(word.source))
    return { decision: 'ask', reason: `${word.source} is where Belay keeps its state` }
  if (!shape.isPlaced && OWN_SECRET.test(word.parts.map(part => (part.kind === 'text' ? part.value : '*')).join('')))
    return { decision: 'ask', reason: `${word.source} may be one of Belay's keys, tokens and sockets` }
  found = stricter(found, onDisk(access, shape, protectedPaths))
  if (found?.decision === 'deny' || may.length === 0) return found
  return found ?? askAbout(access, word, may)
}

function askAbout(access: PathAccess, word: Word, places: readonly ProtectedPlace[]): Protection | null {
  const place = places.find(one => access !== 'read' || one.read !== undefined)
  if (place === undefined) return null
  return { decision: 'ask', reason: `${word.source} may become ${place.path}, which belongs to ${place.what}; a person must agree` }
}

/** A glob becomes names that exist. Those behind a link are looked up; the others are what they say. */
function onDisk(access: PathAccess, shape: WordSegments, protectedPaths: ProtectedPaths): Protection | null {
  if (shape.hasUnknown || !shape.isPlaced) return null
  const { files } = protectedPaths
  let found: Protection | null = null
  for (const [index, { path, throughLink }] of (expandGlob(shape.segments, files.names) ?? []).entries()) {
    if (found?.decision === 'deny') break
    const real = throughLink ? files.realPath(path) : null
    const isWhole = real?.ok === true || index < MAX_LOOKED_AT
    const one = isWhole
      ? protectPath(access, { lexical: path, real: real?.ok === true ? real.path : path }, protectedPaths)
      : protectText(access, path, protectedPaths)
    found = stricter(found, one)
  }
  return found
}

/** So many are looked at for hard links. */
const MAX_LOOKED_AT = 256

interface Reached {
  /** Whatever the unknown parts become. */
  readonly must: readonly ProtectedPlace[]
  /** For some values, and the word is aimed at it. */
  readonly may: readonly ProtectedPlace[]
}

function reachedPlaces(access: PathAccess, { segments, isPlaced }: WordSegments, protectedPaths: ProtectedPaths): Reached {
  const must: ProtectedPlace[] = []
  const may: ProtectedPlace[] = []
  const note = (place: ProtectedPlace, reach: Reach): void => {
    if (reach === 'must') must.push(place)
    else if (reach === 'may') may.push(place)
  }
  for (const [index, segment] of segments.entries()) {
    for (const row of candidateRows(segment, protectedPaths)) note(row.place, reachOf(access, { segments, from: index }, row))
  }
  if (!isPlaced) return { must, may }
  for (const { segments: names, places } of protectedPaths.fixedRows) {
    const reach = reachOf(access, { segments, from: 0 }, { segments: names, place: places[0] as ProtectedPlace })
    for (const place of reach === null ? [] : places) note(place, reach)
  }
  return { must, may }
}

function candidateRows(segment: WordSegment, protectedPaths: ProtectedPaths): readonly ProtectedRow[] {
  if (segment.literal !== null) return rowsAt(segment.literal, protectedPaths)
  // A name that may be any at all is aimed at nothing.
  if (segment.start === '') return []
  spend(protectedPaths.anywhere.size)
  const found: ProtectedRow[] = []
  for (const [name, rows] of protectedPaths.anywhere) if (segment.matches(name)) found.push(...rows)
  return found
}

type Reach = 'must' | 'may' | null

interface Stretch {
  readonly segments: readonly WordSegment[]
  readonly from: number
}

/** Segment by segment; for a tree the word may end before the row does. */
function reachOf(access: PathAccess, { segments, from }: Stretch, row: ProtectedRow): Reach {
  const length = Math.min(segments.length - from, row.segments.length)
  if (length === 0 || (length < row.segments.length && !(access === 'tree' && isTree(row)))) return null
  let reach: Reach = 'must'
  let isAimed = false
  for (let at = 0; at < length; at++) {
    const segment = segments[from + at] as WordSegment
    const name = row.segments[at] ?? ''
    // Behind a directory of Belay's every name is of interest; elsewhere a bare star is not aimed at anything.
    if (segment.literal === null && segment.start === '' && !isAimed) return null
    if (!segment.matches(name) && !(name === 'belay-*' && segment.start.startsWith('belay-'))) return null
    if (segment.literal === null) reach = 'may'
    if (row.place.write === 'deny' && (name.startsWith('.') || (segment.literal === null && segment.start !== ''))) isAimed = true
  }
  return reach
}
