// Files that stand in the value of an option, or within a word, of which no table says what it is (`mvn -l x`, `--report=xml:x`, `gcc @x`,
// `-ox`, `type=bind,source=x`): the program may read or write them, so a rule that keeps one of them asks.
import { type Call, touchArgument } from './call.ts'
import { fileUrisIn } from './file-uri.ts'
import type { Word } from './shell-analysis.ts'
import { AT, DOT, ODD, SLASH, wordSigns } from './signs.ts'
import { factsOf } from './table/facts.ts'
import { type Option, type Program, readOptions } from './table/program.ts'
import { homeOf } from './variable.ts'
import { dropText, leadingText, textWord } from './word.ts'

/** Options whose value is text for people, or a choice of names that leaves files out. */
const TEXT_OPTION =
  /^(?:-[mSGHqkg]|--?(?:message|title|body|notes?|desc|description|comment|label|labels|name|grep|regexp?|pattern|exclude\S*|ignore\S*|not|i?name|i?path|i?glob|filter|format|pretty|author|date|since|until|query|search|text|subject|reason|annotation|include|header|user-agent|test-name-pattern|testNamePattern|testPathPattern|tests?|reporter|color|prompt))$/

/** To these, words are only words, names or patterns. */
const TEXT_PROGRAMS: ReadonlySet<string> = new Set(
  'du tree wc file df cksum md5sum sha256sum echo printf test [ grep egrep fgrep rg ag ack find fd fdfind ls ll la dir exa eza lsd stat basename dirname realpath readlink which whereis type man tldr jq say logger history true false : export cd'.split(
    ' ',
  ),
)
const MAX_PIECES = 16
const MAX_WORDS = 64
const MAX_LENGTH = 1024
/** Letters of options that stand together. */
const MAX_CLUSTER = 5

/** `program`: the table that says what its operands are. */
export function guessMentions(call: Call, words: readonly Word[], program: Program | undefined): void {
  if (TEXT_PROGRAMS.has(call.name)) return
  touchTakenIn(call)
  const signs = wordSigns(words)
  if (!signs.some(mayBePath)) return
  const uses = program === undefined ? () => undefined : describedOptions(program, call, words)
  const isFlag = (name: string): boolean => uses(name) === 'flag'
  const isDescribed = (name: string): boolean => !['value', 'maybe', 'flag', undefined].includes(uses(name))
  const given = words.slice(0, MAX_WORDS)
  given.forEach((word, index) => {
    const sign = signs[index] ?? 0
    if (!mayBePath(sign)) return
    const text = leadingText(word)
    if (!isLikely(text) || text.length > MAX_LENGTH) return
    for (const address of fileUrisIn(text)) if (address !== text) touch(call, textWord(address), address)
    if (text.includes('://')) return
    // `@x`, `field=@x`: a sign by which many programs are told to read the file.
    const at = (sign & AT) === 0 ? 0 : (FILE_SIGN.exec(text)?.[0].length ?? 0)
    if (at > 0) touch(call, dropText(word, at), text.slice(at))
    const option = optionBefore(given, index, isFlag)
    if ((sign & ODD) !== 0 && program?.reader === undefined && !(option !== null && isMessage(option))) touchNamed(call, text)
    // `git log -S'.env'`: the text stands right behind the letter.
    if (option !== null && (TEXT_OPTION.test(option) || /^-[SG]/.test(option) || isDescribed(option))) return
    if (text.startsWith('-')) touchGlued(call, word, text)
    else if (option !== null || program === undefined) touchPieces(call, text, option !== null)
  })
}

/** `yq 'load(".env")'`, `mlr put 'tee > ".env", $*'`: a name in quotes that a program's own language opens. */
const OPENED = /[(>]\s{0,4}(?:"([^"\s]{1,256})"|'([^'\s]{1,256})')/g
/** `ffmpeg -i file:x`, `convert label:@x`: kinds of input before the name. */
const KIND =
  /^(?:file|concat|concatf|subfile|cache|crypto|async|movie|amovie|text|label|caption|pango|ephemeral|msl|mvg|txt|inline|rgb|gray)[:=]@?/

function touchNamed(call: Call, text: string): void {
  for (const [, double, single] of [...text.matchAll(OPENED)].slice(0, MAX_PIECES)) {
    const name = double ?? single ?? ''
    if (isLikely(name)) touch(call, textWord(name), name)
  }
  const name = text.replace(KIND, '')
  if (name !== text && isLikely(name)) touch(call, textWord(name), name)
}

/** A query is code, not text for people. */
function isMessage(option: string): boolean {
  return TEXT_OPTION.test(option) && option !== '-q' && option !== '--query'
}

/** Sources on standard input name files that are taken in: `echo '#include ".env"' | cpp`. */
const TAKES_SOURCE = /^(?:(?:.*-)?(?:cpp|gcc|g\+\+|cc|c\+\+|clang|clang\+\+)[\d.-]*|as|nasm|yasm|soelim|groff|nroff|troff|m4)$/
const TAKEN_IN =
  /^[ \t]{0,8}(?:[#%.'][ \t]{0,8})?(?:include|include_next|import|embed|incbin|so|mso|psbb)[ \t(]{1,8}["<'\x60]?([^\s"<>'\x60]{1,256})/gm

function touchTakenIn(call: Call): void {
  const { stdin } = call.place
  const text = stdin.kind === 'text' || stdin.kind === 'pipe' ? (stdin.text?.value ?? null) : null
  if (text === null || !TAKES_SOURCE.test(call.name)) return
  for (const [, name = ''] of [...text.matchAll(TAKEN_IN)].slice(0, MAX_PIECES)) touch(call, textWord(name), name)
}

const FILE_SIGN = /^(?:[\w.:-]+:?=)?@/

function mayBePath(signs: number): boolean {
  return (signs & (DOT | SLASH)) !== 0
}

/** What the tables say of an option, they say best: of the program, and of the verbs among its words. */
function describedOptions(program: Program, { name: called }: Call, words: readonly Word[]): (option: string) => Option['use'] | undefined {
  const sets = [program, ...words.flatMap(({ value }) => program.verbs?.[value ?? ''] ?? [])].map(({ options = '' }) =>
    readOptions(options),
  )
  const facts = words.reduce((at, { value }) => at?.child(value ?? '') ?? at, factsOf(called))
  const named = (name: string): Option['use'] | undefined => {
    for (const { byName, longNames } of sets) {
      const full = byName.has(name) || name.length < 5 ? name : longNames.find(long => long.startsWith(name))
      const use = byName.get(full ?? '')?.use
      if (use !== undefined) return use
    }
    return facts?.option(name)?.arity === 'flag' ? 'flag' : undefined
  }
  return option => {
    const whole = named(option)
    if (whole !== undefined || !/^-[^-]/.test(option)) return whole
    const letters = [...option.slice(1, MAX_CLUSTER)].map(letter => named(`-${letter}`))
    return letters.find(use => use !== undefined && use !== 'flag') ?? (letters.every(use => use === 'flag') ? 'flag' : undefined)
  }
}

/** The option that this word is, holds, or may be the value of. */
function optionBefore(words: readonly Word[], index: number, isFlag: (name: string) => boolean): string | null {
  for (const at of [index, index - 1, index - 2]) {
    const text = leadingText(words[at] ?? textWord(''))
    if (!text.startsWith('-')) continue
    const end = text.search(/[=:]/)
    const name = end > 0 ? text.slice(0, end) : text
    // One that takes no value, or has it, says nothing of the words behind it.
    if (at !== index && (end > 0 || isFlag(name))) continue
    return name
  }
  return null
}

/** `--name=a:b`, `-ofile`, `-MFfile`. */
function touchGlued(call: Call, word: Word, text: string): void {
  const end = text.search(/[=:]/)
  if (end > 0) touchPieces(call, text.slice(end + 1), true)
  else if (!text.startsWith('--'))
    for (const start of [2, 3]) if (isLikely(text.slice(start))) touch(call, dropText(word, start), leadingText(dropText(word, start)))
}

function touchPieces(call: Call, text: string, isWhole: boolean): void {
  if (!SEPARATED.test(text)) {
    if (isWhole && isLikely(text)) touch(call, textWord(text), text)
    return
  }
  const pieces = new Set(text.split(/[=:,;|"'`()[\]{}\s]+/, MAX_PIECES))
  if (isWhole) pieces.add(text)
  else pieces.delete(text)
  for (const piece of pieces) if (isLikely(piece)) touch(call, textWord(piece), piece)
}

const SEPARATED = /[=:,;|"'`()[\]{}\s]/

function isLikely(text: string): boolean {
  return /[./]/.test(text) && /[\w*?]/.test(text)
}

/** Programs open `~/x` themselves. */
function touch(call: Call, word: Word, text: string): void {
  const home = text.startsWith('~/') ? homeOf(call.walk) : null
  const path = home === null ? word : textWord(home + text.slice(1), word.source)
  if (!isTouched(call, path.value)) touchArgument(call, 'read', path, 'guess')
}

function isTouched({ walk: { effects }, index }: Call, path: string | null): boolean {
  for (let at = effects.length - 1; at >= 0 && effects[at]?.unit === index; at--) if (effects[at]?.path.value === path) return true
  return false
}
