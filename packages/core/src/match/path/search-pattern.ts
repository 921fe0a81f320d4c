// A regular expression that a command searches with (`pkill -f 'node.*up'`), where it can be tried in bounded time.

/** What people search with is short and has a repeat or two; with more of them, or with groups that repeat, trying may never end. */
const MAX_PATTERN_LENGTH = 256
const MAX_REPEATS = 2
const MAX_LINE_LENGTH = 384

/** A pattern that we cannot read may be any. */
export function searchPattern(pattern: string): (line: string) => boolean {
  const repeats = pattern.match(/[*+?{]/g)?.length ?? 0
  if (pattern.length > MAX_PATTERN_LENGTH || repeats > MAX_REPEATS || /\)[*+?{]/.test(pattern)) return () => true
  try {
    const compiled = new RegExp(pattern, 'i')
    return line => compiled.test(line.slice(0, MAX_LINE_LENGTH))
  } catch {
    return () => true
  }
}
