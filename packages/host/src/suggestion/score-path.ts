// How well a path fits what somebody typed: the letters in order, better where they begin words, stand together or are in the file's name.
// One pass over path and query for each query letter; no regular expressions, nothing that grows worse than that.

/** Higher is better; null: the letters are not all there. Terms apart by spaces must all be found, in any order. */
export type Scorer = (path: string) => number | null

const LETTER = 16
const BOUNDARY = 10
const TOGETHER = 14
const IN_NAME = 6
const GAP = 4
const NOWHERE = -1e9

export function createScorer(query: string): Scorer {
  const terms = query
    .toLowerCase()
    .split(/\s+/)
    .filter(term => term !== '')
  const longest = Math.max(0, ...terms.map(term => term.length))
  const ranges: Ranges = { first: new Int32Array(longest), last: new Int32Array(longest) }
  let buffers = makeBuffers(256)
  return path => {
    if (path.length > buffers.size) buffers = makeBuffers(path.length * 2)
    const lower = path.toLowerCase()
    // A few letters of the world grow when they are made small; such a path is matched as it became.
    const text = { path: lower.length === path.length ? path : lower, lower, name: lower.lastIndexOf('/') + 1 }
    let total = -path.length / 8
    for (const term of terms) {
      if (!findRanges(lower, term, ranges)) return null
      total += scoreTerm(text, term, ranges, buffers)
    }
    return total
  }
}

interface PathText {
  readonly path: string
  readonly lower: string
  /** Where the file's name begins. */
  readonly name: number
}

interface Buffers {
  readonly size: number
  readonly even: Float64Array
  readonly odd: Float64Array
}

/** Where each letter can stand at the earliest and at the latest so that all others find a place. */
interface Ranges {
  readonly first: Int32Array
  readonly last: Int32Array
}

function makeBuffers(size: number): Buffers {
  return { size, even: new Float64Array(size), odd: new Float64Array(size) }
}

/** False: the letters are not all there, in this order. */
function findRanges(lower: string, term: string, { first, last }: Ranges): boolean {
  for (let index = 0, at = -1; index < term.length; index++) {
    at = lower.indexOf(term[index] ?? '', at + 1)
    if (at < 0) return false
    first[index] = at
  }
  for (let index = term.length - 1, at = lower.length; index >= 0; index--) {
    at = lower.lastIndexOf(term[index] ?? '', at - 1)
    last[index] = at
  }
  return true
}

/** The best way to find the letters in order: each either right behind the one before it, or after a gap. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one table filled row by row; a call for each letter of each path costs more than the rest
function scoreTerm(text: PathText, term: string, { first, last }: Ranges, { even, odd }: Buffers): number {
  let best = NOWHERE
  for (let index = 0; index < term.length; index++) {
    const [current, previous] = index % 2 === 0 ? [even, odd] : [odd, even]
    const from = index === 0 ? 0 : (first[index - 1] ?? 0)
    const to = index === 0 ? -1 : (last[index - 1] ?? 0)
    const end = last[index] ?? 0
    const code = term.charCodeAt(index)
    let behind = from
    let before = NOWHERE
    best = NOWHERE
    for (let at = first[index] ?? 0; at <= end; at++) {
      for (; behind <= at - 2 && behind <= to; behind++) before = Math.max(before, previous[behind] ?? NOWHERE)
      let score = NOWHERE
      if (text.lower.charCodeAt(at) === code) {
        const together = at > from && at - 1 <= to ? (previous[at - 1] ?? NOWHERE) + TOGETHER : NOWHERE
        const reached = index === 0 ? 0 : Math.max(together, before - GAP)
        if (reached > NOWHERE / 2) score = reached + worthOf(text, at)
      }
      current[at] = score
      if (score > best) best = score
    }
  }
  return best
}

function worthOf({ path, name }: PathText, at: number): number {
  return LETTER + (isBoundary(path, at) ? BOUNDARY : 0) + (at >= name ? IN_NAME : 0)
}

/** The first letter of a folder, a file, a word of either. */
function isBoundary(path: string, at: number): boolean {
  if (at === 0) return true
  const before = path.charCodeAt(at - 1)
  return !isWord(before) || (isCapital(path.charCodeAt(at)) && !isCapital(before))
}

function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || isCapital(code) || (code >= 48 && code <= 57) || code > 127
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90
}
