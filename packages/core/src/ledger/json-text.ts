// Where things end in the text of JSON that nobody has to parse.

export const QUOTE = 0x22
export const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d

/** Behind the quote that ends the text which begins at `at`. */
export function endOfText(json: string, at: number): number {
  for (let end = json.indexOf('"', at + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1
    while (json.charCodeAt(before) === BACKSLASH) before--
    if ((end - before) % 2 === 1) return end + 1
  }
  return json.length
}

/** Where the value that begins at `start` ends. */
export function endOfValue(json: string, start: number): number {
  let depth = 0
  for (let at = start; at < json.length; ) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfText(json, at)
    else {
      if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++
      else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && depth-- === 0) return at
      else if (code === COMMA && depth === 0) return at
      at++
    }
  }
  return json.length
}
