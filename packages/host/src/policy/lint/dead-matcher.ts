// A matcher that can never match: as a regular expression it wants something before the beginning, or after the end.
import type { Place } from '@belay/core/policy'
import type { Finding } from './finding.ts'

/** Rules, lists of names and globs are not regular expressions. */
const PLAIN = /^[\w*?|,. :@/-]*(?:\(.*\))?$/s
const AFTER_END = /(?<!\\)(?:\\\\)*\$(?![)|]|$)/
const BEFORE_BEGINNING = /(?<!\\)(?:\\\\)*[^|([\\^]\^/

export function deadMatcher(matcher: string, place: Place): Finding | null {
  // A set of characters may hold both signs.
  const text = matcher.replaceAll(/\[(?:\\.|[^\]\\])*\]/g, 'x')
  if (PLAIN.test(text) || !(AFTER_END.test(text) || BEFORE_BEGINNING.test(text))) return null
  const side = AFTER_END.test(text) ? 'wants text after the end ($)' : 'wants text before the beginning (^)'
  return {
    code: 'dead-matcher',
    place,
    message: `the matcher ${JSON.stringify(matcher)} can never match: it ${side}`,
    remedy: 'write the names of tools, with | between them',
  }
}
