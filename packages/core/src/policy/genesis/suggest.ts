// Finds what a person most likely meant. Spelling style (case, `_`, `-`) never counts as a difference.

export function suggest(given: string, known: readonly string[]): string | null {
  const wanted = squash(given)
  if (wanted === '') return null
  let best: string | null = null
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(wanted, squash(candidate), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** "did you mean x?", else the list of what is possible. */
export function suggestRemedy(given: string, known: readonly string[]): string {
  const meant = suggest(given, known) ?? beginningWith(given, known)
  return meant === null ? `use one of ${known.join(', ')}` : `did you mean ${meant}?`
}

/** `claude` for `claude-code`: too far for a slip, near enough for advice. */
function beginningWith(given: string, known: readonly string[]): string | null {
  const wanted = squash(given)
  return wanted.length < 4 ? null : (known.find(candidate => squash(candidate).startsWith(wanted)) ?? null)
}

function squash(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, '')
}

/** Optimal string alignment (a swap of neighbours costs 1); gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      let value = Math.min(at(previous, column) + 1, at(current, column - 1) + 1, at(previous, column - 1) + cost)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) value = Math.min(value, at(beforePrevious, column - 2) + 1)
      current.push(value)
    }
    if (Math.min(...current) >= limit) return limit
    beforePrevious = previous
    previous = current
  }
  return at(previous, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
