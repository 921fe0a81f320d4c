// What every part of the generator is given, and the quotes of bash. Nothing here knows the matcher.
import type { Random } from '../../../packages/core/src/match/shell/fixtures/random-script.ts'

export interface Maker extends Random {
  /** A name that was not used before. */
  readonly fresh: () => string
  readonly chance: (percent: number) => boolean
  readonly root: string
  readonly home: string
}

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

export function doubleQuoted(text: string): string {
  return `"${text.replace(/[\\"$`]/g, '\\$&')}"`
}

export function ansiQuoted(make: Maker, text: string): string {
  const escaped = (character: string): string => {
    const code = character.charCodeAt(0)
    if (code > 126) return character
    if (code === 10) return '\\n'
    if (make.chance(30)) return `\\x${code.toString(16).padStart(2, '0')}`
    if (make.chance(20)) return `\\${code.toString(8).padStart(3, '0')}`
    return character === "'" || character === '\\' ? `\\${character}` : character
  }
  return `$'${[...text].map(escaped).join('')}'`
}

export function quote(make: Maker, text: string): string {
  return make.pick([singleQuoted, singleQuoted, doubleQuoted, (each: string) => ansiQuoted(make, each)])(text)
}

export function isPlain(word: string): boolean {
  return /^[\w./:@%+=-]+$/.test(word)
}

/** Plain where it can be, so that most words of a program are. */
export function plainly(make: Maker, word: string): string {
  return isPlain(word) ? word : quote(make, word)
}
