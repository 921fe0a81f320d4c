// A regular expression that a command searches with (`pkill -f 'node.*up'`), where it can be tried in bounded time.

/** What people search with is short and has a repeat or two; with more of them, or with groups that repeat, trying may never end. */
const LONGEST_PATTERN = 256
const MOST_REPEATS = 2
const LONGEST_LINE = 384

/** A pattern that we cannot read may be any. */
export function searchPattern(pattern: string): (line: string) => boolean {
  const repeats = pattern.match(/[*+?{]/g)?.length ?? 0
  if (pattern.length > LONGEST_PATTERN || repeats > MOST_REPEATS || /\)[*+?{]/.test(pattern)) return () => true
  try {
    const compiled = new RegExp(pattern, 'i')
    return line => compiled.test(line.slice(0, LONGEST_LINE))
  } catch {
    return () => true
  }
}
