// The files that fit best, best first; of equals the shorter path.
import { createScorer } from './score-path.ts'

export interface Suggestion {
  readonly path: string
  readonly score: number
}

export function suggestFiles(files: readonly string[], query: string, limit: number): readonly Suggestion[] {
  const score = createScorer(query)
  const kept: Suggestion[] = []
  let least = Number.NEGATIVE_INFINITY
  for (const path of files) {
    const value = score(path)
    if (value === null || value < least) continue
    kept.push({ path, score: value })
    // Sorted now and then, so that the many that do not make it cost next to nothing.
    if (kept.length >= limit * 8) {
      kept.sort(compare).length = limit
      least = kept.at(-1)?.score ?? least
    }
  }
  return kept.sort(compare).slice(0, limit)
}

function compare(a: Suggestion, b: Suggestion): number {
  return b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1)
}
