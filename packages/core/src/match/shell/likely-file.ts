// Files among the arguments of programs that no table describes (`hexyl x`, `aws s3 cp x s3://y`): such a program may read what it is given.
import { type Call, touchArgument } from './call.ts'
import { readFileAddress } from './download.ts'
import { fileUrisIn } from './file-uri.ts'
import type { Word } from './shell-analysis.ts'
import { ANY_SIGN, AT, COLON, DOT, EQUALS, SLASH, wordSigns } from './signs.ts'
import { dropText, leadingText, textWord } from './word.ts'

/** They look at names and figures, never into files; and those to whom words are only words. */
const ONLOOKERS: ReadonlySet<string> = new Set(
  'ls ll la dir exa eza lsd du stat basename dirname realpath readlink df namei pathchk echo printf which whereis type git gh'.split(' '),
)
export function isOnlooker(program: string): boolean {
  return ONLOOKERS.has(program)
}

/** Nobody lists more files by hand. */
const MAX_WORDS = 64

export function guessFiles(call: Call, words: readonly Word[]): void {
  if (LISTERS.has(call.name)) listNames(call, words)
  if (ONLOOKERS.has(call.name)) return
  const signs = wordSigns(words)
  const given = words.length > MAX_WORDS ? words.slice(0, MAX_WORDS) : words
  const isElsewhere = call.place.scope.bases?.some(base => !base.startsWith(call.walk.context.root)) ?? false
  const remote = findRemote(given)
  for (let index = 0; index < given.length; index++) {
    const word = given[index] as Word
    const sign = signs[index] ?? ANY_SIGN
    if (isElsewhere || word.value === null || mayBeFile(word.value, sign, given[index - 1]))
      guessFile(call, given, index, { isElsewhere, remote, hasColon: (sign & COLON) !== 0 })
  }
}

interface Guess {
  /** The command may run outside of the project. */
  readonly isElsewhere: boolean
  /** Position of a place on another machine, or -1. */
  readonly remote: number
  /** It may be an address. */
  readonly hasColon: boolean
}

function guessFile(call: Call, given: readonly Word[], index: number, { isElsewhere, remote, hasColon }: Guess): void {
  const word = given[index] as Word
  const { value, source } = word
  // `~dev/x`: somebody's home.
  if (value === null && source.startsWith('~')) touchArgument(call, 'read', word, 'deny-only')
  if (value === null) return
  const address = fileUrisIn(value)[0]
  if (address !== undefined) touchArgument(call, 'read', dropText(word, value.indexOf(address)), 'guess')
  if (hasColon && !word.glob && readFileAddress(call, word)) return
  // What stands before the place elsewhere goes there.
  const role = remote > index && isOperand(given, index) ? 'deny-only' : 'guess'
  for (const start of likelyPaths(value, isElsewhere)) touchArgument(call, 'read', dropText(word, start), word.glob ? 'guess' : role)
  if (word.glob) return
  for (const path of outputPaths(given, index)) touchArgument(call, 'write', textWord(path, source), 'guess')
}

/** Neither a sign of a path, nor behind an option. */
function mayBeFile(value: string, signs: number, before: Word | undefined): boolean {
  if ((signs & PATH_SIGNS) !== 0 || value.startsWith('-o') || value.startsWith('-O')) return true
  return before !== undefined && leadingText(before).startsWith('-')
}

const PATH_SIGNS = DOT | SLASH | COLON | AT | EQUALS

/** Of a folder they show the names of what lies in it. */
const LISTERS: ReadonlySet<string> = new Set('ls ll la dir vdir exa eza lsd'.split(' '))

function listNames(call: Call, words: readonly Word[]): void {
  const folders = words.slice(0, MAX_WORDS).filter(word => !leadingText(word).startsWith('-'))
  for (const word of folders.length === 0 ? [textWord('.')] : folders) touchArgument(call, 'read', word, 'listing')
}

/** Stores of other machines (`aws s3 cp x s3://y`). */
const REMOTE = /^(?:s3|gs|az|r2|oss|cos|b2|swift|hdfs|abfss?|wasbs?):\/\//

function findRemote(words: readonly Word[]): number {
  return words.findIndex(word => word.source.includes('://') && REMOTE.test(leadingText(word)))
}

function isOperand(words: readonly Word[], at: number): boolean {
  return !leadingText(words[at] as Word).startsWith('-') && !leadingText(words[at - 1] ?? textWord('')).startsWith('-')
}

/** Options that most programs take the name of a file to write by. */
const OUTPUT =
  /^(?:-o|-O|--?(?:\w+[-_]?)?(?:out|output|outfile|dest|destination|save|log|dump|export|report|write)(?:[-_]?(?:file|path|dir|directory|document|to))?)$/i

const NO_PATHS: readonly string[] = []

/** `-o x`, `-ox`, `--output=x`, `--log-file x`. */
function outputPaths(words: readonly Word[], at: number): readonly string[] {
  const value = words[at]?.value ?? ''
  const equals = value.indexOf('=')
  if (equals > 0 && OUTPUT.test(value.slice(0, equals))) return [value.slice(equals + 1)]
  if (/^-[oO]./.test(value)) return [value.slice(2)]
  const before = words[at - 1]?.value ?? ''
  return before.startsWith('-') && !value.startsWith('-') && OUTPUT.test(before) ? [value] : NO_PATHS
}

/** `x`, `--file=x`, `@x`, `field@x`, `type:x`: where something starts that could be a path because of a dot or a slash, or of the folder. */
function likelyPaths(value: string, isElsewhere: boolean): readonly number[] {
  const equals = value.indexOf('=')
  const start = equals >= 0 ? equals + 1 : value.startsWith('-') ? value.length : 0
  const given = value.slice(start)
  if (!(isElsewhere || /[./]/.test(given)) || given.includes('://') || /\s/.test(given)) return []
  const at = given.indexOf('@')
  const colon = given.indexOf(':')
  if (at < 0 && colon < 0) return [start]
  return [...(at === 0 ? [] : [start]), ...[at, colon].flatMap(index => (index < 0 ? [] : [start + index + 1]))]
}
