// Input that is refused before it is read, because nobody types it, and how much of anything one analysis takes.

const MAX_BYTES = 64 * 1024
export const MAX_NESTING = 200
export const MAX_SCRIPT_LEVEL = 16
export const MAX_WRAPPERS = 16
export const MAX_COMMANDS = 2000
export const MAX_ARGUMENTS = 5000

/** The parser looks from every `<<` over the other ones. */
const MAX_HERE_DOCUMENTS = 2000

/** Why the text is refused, or null. */
export function findRefusal(text: string): string | null {
  if (text.includes('\0')) return 'holds a NUL character'
  if (text.length > MAX_BYTES || (text.length * 3 > MAX_BYTES && utf8Length(text) > MAX_BYTES)) return 'is longer than 64 KiB'
  if (count(text, '<<') > MAX_HERE_DOCUMENTS) return 'holds more than 2000 here-documents'
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
