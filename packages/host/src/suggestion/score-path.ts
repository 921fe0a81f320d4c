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
  let buffers = makeBuffers(256)
  return path => {
    if (path.length > buffers.size) buffers = makeBuffers(path.length * 2)
    const lower = path.toLowerCase()
    let total = -path.length / 8
    for (const term of terms) {
      if (!hasLetters(lower, term)) return null
      total += scoreTerm(path, lower, term, buffers)
    }
    return total
  }
}

interface Buffers {
  readonly size: number
  readonly previous: Float64Array
  readonly current: Float64Array
  readonly worth: Float64Array
}

function makeBuffers(size: number): Buffers {
  return { size, previous: new Float64Array(size), current: new Float64Array(size), worth: new Float64Array(size) }
}

function hasLetters(lower: string, term: string): boolean {
  let at = -1
  for (let index = 0; index < term.length; index++) {
    at = lower.indexOf(term[index] ?? '', at + 1)
    if (at < 0) return false
  }
  return true
}

/** The best way to find the letters in order: each either right behind the one before it, or after a gap. */
function scoreTerm(path: string, lower: string, term: string, buffers: Buffers): number {
  let { previous, current } = buffers
  const { worth } = buffers
  const length = path.length
  const name = path.lastIndexOf('/') + 1
  for (let at = 0; at < length; at++) worth[at] = LETTER + (isBoundary(path, at) ? BOUNDARY : 0) + (at >= name ? IN_NAME : 0)
  let best = NOWHERE
  for (let index = 0; index < term.length; index++) {
    const code = term.charCodeAt(index)
    let before = NOWHERE
    best = NOWHERE
    for (let at = 0; at < length; at++) {
      const last = at === 0 ? NOWHERE : (previous[at - 1] ?? NOWHERE)
      let score = NOWHERE
      if (lower.charCodeAt(at) === code) {
        const reached = index === 0 ? 0 : Math.max(last + TOGETHER, before - GAP)
        if (reached > NOWHERE / 2) score = reached + (worth[at] ?? 0)
      }
      current[at] = score
      if (score > best) best = score
      if (last > before) before = last
    }
    ;[previous, current] = [current, previous]
  }
  return best
}

/** The first letter of a folder, a file, a word of either. */
function isBoundary(path: string, at: number): boolean {
  if (at === 0) return true
  const before = path.charCodeAt(at - 1)
  const isWord = (code: number) => (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 127
  if (!isWord(before)) return true
  const here = path.charCodeAt(at)
  return here >= 65 && here <= 90 && !(before >= 65 && before <= 90)
}
