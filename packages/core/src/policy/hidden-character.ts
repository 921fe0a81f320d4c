// Characters that make a text look like another one on a terminal: control characters, false line ends, text that runs backwards, text without width.

/** Joiners stand in emoji and in scripts that need them, beside other characters that are not ASCII; there they hide nothing. */
const HIDDEN =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\u3164\ufeff\uffa0]|\r(?!\n)|[\u200c\u200d](?=[\0-\x7f]|$)|(?<=[\0-\x7f]|^)[\u200c\u200d]|[\u{e0000}-\u{e007f}]/u

/** Told apart first: few commands hold one. */
const UNUSUAL = /[^\t\n -~]/

/** Position of the first character that hides or reorders what a command shows, or -1. */
export function findHidden(text: string): number {
  return UNUSUAL.test(text) ? text.search(HIDDEN) : -1
}

/** The text with such characters written out (`\x1b`, `\u202e`), so that it shows what it is. */
export function showHidden(text: string): string {
  return text.replace(/[^\P{C}\n\t]|[\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu, spell)
}

function spell(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (character === '\r') return '\\r'
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}
