// Files among the arguments of programs that no table describes (`hexyl x`, `aws s3 cp x s3://y`): such a program may read what it is given.
import { type Call, touchArgument } from './call.ts'
import type { Word } from './shell-analysis.ts'
import { textWord } from './word.ts'

/** They look at names and figures, never into files; and those to whom words are only words. */
const ONLOOKERS: ReadonlySet<string> = new Set(
  'ls ll la dir exa eza lsd stat basename dirname realpath readlink df namei pathchk echo printf which whereis type git gh hub glab'.split(
    ' ',
  ),
)
/** Nobody lists more files by hand. */
const MOST_WORDS = 64

export function guessFiles(call: Call, words: readonly Word[]): void {
  if (ONLOOKERS.has(call.name)) return
  for (const { value, glob, source } of words.slice(0, MOST_WORDS)) {
    if (value === null || glob) continue
    for (const path of likelyPaths(value)) touchArgument(call, 'read', textWord(path, source), 'guess')
  }
}

/** `x`, `--file=x`, `@x`, `field@x`: whatever could be a path because of a dot or a slash. */
function likelyPaths(value: string): readonly string[] {
  const equals = value.indexOf('=')
  const given = equals >= 0 ? value.slice(equals + 1) : value.startsWith('-') ? '' : value
  if (!/[./]/.test(given) || given.includes('://') || /\s/.test(given)) return []
  const at = given.indexOf('@')
  return at <= 0 ? [given.slice(at + 1)] : [given, given.slice(at + 1)]
}
