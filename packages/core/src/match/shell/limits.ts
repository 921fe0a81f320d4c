// Input that is refused before it is parsed: nobody types it, and some of it would take the parser seconds.

const MAX_BYTES = 64 * 1024
export const MAX_NESTING = 200
export const MAX_SCRIPT_LEVEL = 16

/** Why the text is refused, or null. */
export function findRefusal(text: string): string | null {
  if (text.includes('\0')) return 'holds a NUL character'
  if (text.length > MAX_BYTES || (text.length * 3 > MAX_BYTES && utf8Length(text) > MAX_BYTES)) return 'is longer than 64 KiB'
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
