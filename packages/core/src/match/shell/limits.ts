// Input that is refused before it is walked: nobody types it, and some of it would take the parser seconds.
import { forEachChild, parse, type SyntaxNode } from 'unbash'

const MAX_BYTES = 64 * 1024
export const MAX_NESTING = 200
export const MAX_SCRIPT_LEVEL = 16
export const MAX_WRAPPERS = 16
export const MAX_COMMANDS = 2000
export const MAX_ARGUMENTS = 5000

/** The parser looks from every `{` of a word to the word's end, and from every `<<` over the other ones. */
const MAX_SCAN = 4_000_000
/** And from every `${` and `$(` to its end, which for those that stand open in each other is the same text again and again. */
const MAX_OPEN_SCAN = 1_500_000
const MAX_HERE_DOCUMENTS = 2000

/** Why the text is refused, or null. */
export function findRefusal(text: string): string | null {
  if (text.includes('\0')) return 'holds a NUL character'
  if (text.length > MAX_BYTES || (text.length * 3 > MAX_BYTES && utf8Length(text) > MAX_BYTES)) return 'is longer than 64 KiB'
  if (count(text, '<<') > MAX_HERE_DOCUMENTS) return 'holds more than 2000 here-documents'
  if ((count(text, '${') + count(text, '$(')) * text.length > MAX_OPEN_SCAN && mostOpen(text) * text.length > MAX_OPEN_SCAN)
    return 'holds too many expansions within each other'
  if (countBraces(text) * text.length > MAX_SCAN && braceScan(text) > MAX_SCAN) return 'holds too many braces in one word'
  return null
}

function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes
}

function count(text: string, part: string): number {
  let found = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found++
  return found
}

/** How many `${` or `$(` stand open at once, quotes left aside: a closing character more, as in any text, only makes it less. */
function mostOpen(text: string): number {
  let braces = 0
  let parentheses = 0
  let most = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '}') braces = Math.max(0, braces - 1)
    else if (character === ')') parentheses = Math.max(0, parentheses - 1)
    else if (character === '$') {
      const next = text[index + 1]
      if (next === '{') braces++
      else if (next === '(') parentheses++
      most = Math.max(most, braces + parentheses)
    }
  }
  return most
}

/** `{` that may begin a list within a word: neither `${` nor the `{ ` of a group. */
function countBraces(text: string): number {
  let found = 0
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    const next = text.charCodeAt(at + 1)
    const isBlank = next === 32 || (next >= 9 && next <= 13)
    if (!isBlank && text.charCodeAt(at - 1) !== 36) found++
  }
  return found
}

/**
 * How many characters the parser would look at for braces: per word, its unquoted `{` times its length.
 * Found by parsing the same text with those braces replaced, so that words, quotes and here-documents stand where they do.
 */
function braceScan(text: string): number {
  let steps = 0
  const visit = (node: SyntaxNode, depth: number): void => {
    if (node.type === 'Word') steps += wordScan(node)
    if (depth < MAX_NESTING && steps <= MAX_SCAN) forEachChild(node, child => visit(child, depth + 1))
  }
  visit(parse(text.replace(/(^|[^$])\{(?!\s)/g, '$1\u0001').replace(/(^|[^$])\{(?!\s)/g, '$1\u0001')), 0)
  return steps
}

function wordScan(word: Extract<SyntaxNode, { type: 'Word' }>): number {
  if (!word.text.includes('\u0001')) return 0
  if (!word.parts) return count(word.text, '\u0001') * word.text.length
  let braces = 0
  for (const part of word.parts) if (part.type === 'Literal') braces += count(part.text, '\u0001')
  return braces * word.text.length
}
