// Lists of words as shell text that means the same words.

/** `from`: where the words stand in their command; the first one is where a shell looks for keywords and assignments. */
export function quoteWords(words: readonly string[], from = 0): string {
  return words.map((word, index) => quoteWord(word, index + from)).join(' ')
}

/** The first word is quoted where the shell would read a keyword or an assignment instead of a program. */
function quoteWord(word: string, index: number): string {
  const isPlain = /^[\w@%+=:,./-]+$/.test(word)
  const isSyntax = index === 0 && (word.includes('=') || shellKeywords.has(word))
  return isPlain && !isSyntax ? word : `'${word.replaceAll("'", "'\\''")}'`
}

const shellKeywords: ReadonlySet<string> = new Set(
  'if then elif else fi for while until do done case esac select function time coproc in'.split(' '),
)
