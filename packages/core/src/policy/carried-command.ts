// A program that no rule names may be a wrapper that no table knows (`fakeroot rm -rf x`): when its arguments spell a
// forbidden command, a broad allow such as `Bash(*)` does not cover it.

import { spend } from '../match/shell/meter.ts'
import { programsNamed } from '../match/shell/named-program.ts'
import type { Unit, Word } from '../match/shell/shell-analysis.ts'
import { isShell } from '../match/shell/shell-program.ts'
import { ANY_SIGN, ODD, SLASH, wordSigns } from '../match/shell/signs.ts'
import { findProgram } from '../match/shell/table/find-program.ts'
import { textWord } from '../match/shell/word.ts'
import { mayBeOther, mayBeRespelled, respell, respellings } from './canonical-command.ts'
import { type FoundRules, findInCode, findOnce, MAX_CODE, MAX_COMMAND_LENGTH, reaches, type Search } from './carried-code.ts'
import { escapedCommands, holdsEscapes } from './carried-escape.ts'
import { type CommandIndex, findForbidding } from './command-index.ts'
import { baseName } from './flag-set.ts'
import type { ProgramReading } from './program-name.ts'
import type { Rule } from './rule.ts'
import { UnitView } from './unit-view.ts'

/** Programs to which a command is only text. */
const TEXT_PROGRAMS: ReadonlySet<string> = new Set(
  'echo printf grep egrep fgrep rg ag ack git gh hub glab man info which whereis type logger say tldr whatis apropos test [ [[ jq'.split(
    ' ',
  ),
)
/** A wrapper's own options come first and are few. */
const MAX_WORDS = 24

/** Programs that are given the names of programs, not commands. */
const NAME_PROGRAMS: ReadonlySet<string> = new Set(
  'pkill killall pgrep pidof brew apt apt-get apk dnf yum pacman snap hash unalias'.split(' '),
)

/** What it runs stands in a unit of its own. */
export function isTransparent(program: string): boolean {
  const name = baseName(program)
  return isShell(name) || findProgram(name)?.wrapper !== undefined
}

/** A rule of one word (`curl`) counts only where a command can start: a word alone is too often a name (`apt install curl`). */
export function findCarried(index: CommandIndex, unit: Unit, reading: ProgramReading): Rule | null {
  const search: Search = { index, unit, reading }
  return findAmongWords(search) ?? findInCode(search, isText) ?? findEscaped(search)
}

function isText(program: string): boolean {
  return TEXT_PROGRAMS.has(program)
}

function findAmongWords(search: Search): Rule | null {
  const { index, unit, reading } = search
  const program = unit.words[0]?.value ?? null
  if (program === null || isText(baseName(program))) return null
  const isUnknown = findProgram(baseName(program)) === undefined
  const signs = wordSigns(unit.words)
  for (let at = 1; at < Math.min(unit.words.length, MAX_WORDS); at++) {
    if (isOther(index, unit.words[at]?.value ?? null, signs[at] ?? ANY_SIGN)) continue
    spend(WORDS_WORK + 2 * unit.words.length + (unit.words[at]?.value?.length ?? 0) / 4)
    for (const words of commandsAt(index, unit, at)) {
      const found = forbidsWords(search, words)
      if (found === null || (found.length === 1 && !startsCommand(unit, at))) continue
      // `ls curl` starts nothing.
      if (words.length > 1 || !new UnitView(unit, unit.words, { reading }).onlyLooks()) return found.rule
    }
    const text = unit.words[at]?.value ?? ''
    const found = /\s/.test(text) ? (isUnknown ? findInLine(search, text) : findInValue(search, text)) : null
    const listed = found === null && isUnknown && LIST.test(text) ? findInLine(search, text.replace(LISTED, ' ').trim()) : found
    if (listed !== null) return listed
  }
  return null
}

/** A program with a table may still have a language of its own, of which the table does not speak (`mlr put 'system("rm -rf x")'`). */
function findEscaped(search: Search): Rule | null {
  const { words, input } = search.unit
  const program = words[0]?.value ?? null
  if (program === null || isTransparent(program) || !holdsEscapes(baseName(program)) || isText(baseName(program))) return null
  const signs = wordSigns(words)
  const texts = words.slice(1, MAX_WORDS).filter((_, at) => ((signs[at + 1] ?? ANY_SIGN) & ODD) !== 0)
  for (const word of texts) {
    const found = findEscapedIn(search, word)
    if (found !== null) return found
  }
  return input === undefined ? null : findOnce(escapedRules, search, input, findEscapedIn)
}

const escapedRules: FoundRules = new WeakMap()

function findEscapedIn(search: Search, { value }: Word): Rule | null {
  for (const command of value === null ? [] : escapedCommands(value)) {
    const words = command.map(word => textWord(word))
    const found = words.length < 2 ? null : forbidsWords(search, words)
    if (found !== null) return found.rule
  }
  return null
}

/** A plain word that no rule begins with, under this name or another: most are. */
function isOther(index: CommandIndex, value: string | null, signs: number): boolean {
  if (value === null || value === '' || (signs & ODD) !== 0) return false
  // A plain option starts nothing.
  if (value.startsWith('-')) return true
  const name = (signs & SLASH) === 0 ? value : baseName(value)
  if (reaches(index, name) || isOtherName(name)) return false
  return !REFERENCE.test(value) || !programsNamed(value).some(each => reaches(index, each) || isOtherName(each))
}

function isOtherName(name: string): boolean {
  return mayBeRespelled(name) && respell(name, []) !== null
}

/** `amazon/aws-cli`, `nixpkgs#git`, `--image=x/y:2`: a package that may hold a program. */
const REFERENCE = /\w[/#:.@-]+[a-z]/i

/** `["rm", "-rf", "x"]`, `rm,-rf,x`, `{rm,-rf,x}`, `rm${IFS}-rf${IFS}x`, `@rm`: words of a command as a list. */
const LIST = /^[@!]\w|[,[{]|\$\{?IFS/
const LISTED = /["'`,;[\]{}()@!]+|\$\{?IFS\}?/g

interface CarriedRule {
  readonly rule: Rule
  /** How many words it has. */
  readonly length: number
}

const WORDS_WORK = 40

/** Does a rule that names their program forbid these words? */
function forbidsWords({ index, unit, reading }: Search, words: readonly Word[]): CarriedRule | null {
  spend(WORDS_WORK)
  const first = words[0]?.value ?? null
  if (first === null || first.startsWith('-') || !/^[\w./+-]*\w$/.test(first)) return null
  const others = respellings(baseName(first), knownFrom(words.slice(1, MAX_WORDS)))
  if (!reaches(index, baseName(first)) && !others.some(({ head }) => reaches(index, baseName(head[0] ?? '')))) return null
  const view = new UnitView(unit, words, { reading })
  for (const spelled of [view, ...view.respelled()]) {
    const found = findForbidding(index, spelled)
    const pattern = found?.rule.pattern.words ?? []
    if (found?.match === 'must' && pattern[0] === spelled.denyWords[0]) return { rule: found.rule.rule, length: pattern.length }
  }
  return null
}

function knownFrom(words: readonly Word[]): readonly string[] {
  const end = words.findIndex(word => word.value === null)
  return (end < 0 ? words : words.slice(0, end)).map(word => word.value ?? '')
}

/** `adb shell 'cd /; rm -rf x'`: commands of a line that an unknown program is given. */
function findInLine(search: Search, line: string): Rule | null {
  spend(Math.min(line.length, MAX_CODE))
  for (const part of line.slice(0, MAX_CODE).split(/[;&|(){}\n`"']+/, MAX_WORDS)) {
    const words = part.trim().split(/\s+/, MAX_COMMAND_LENGTH)
    for (let at = 0; at + 1 < words.length; at++) {
      const found = forbidsWords(
        search,
        words.slice(at).map(word => textWord(word)),
      )
      if (found !== null && (at === 0 || found.length > 1)) return found.rule
    }
  }
  return findInValue(search, line.replace(/[:!](?=\s*\w)/g, '='))
}

/** What people write in words of their own. */
const PROSE =
  /(?:title|message|body|desc|description|comment|label|annotation|name|summary|text|note|subject|reason|query|filter|grep|pattern|search|match)=$/i

/** `-DCMAKE_C_COMPILER=rm -rf x`, `commands="rm -rf x"`: a value that begins with a forbidden command. */
function findInValue(search: Search, text: string): Rule | null {
  spend(Math.min(text.length, MAX_CODE))
  for (const { index } of [...text.slice(0, MAX_CODE).matchAll(/=["'!]*/g)].slice(0, MAX_VALUES)) {
    if (PROSE.test(text.slice(0, index + 1))) continue
    const value = text.slice(index + 1).replace(/^["'!]+/, '')
    const words = value.split(/[\s"';]+/, MAX_COMMAND_LENGTH).filter(word => word !== '')
    const found = forbidsWords(
      search,
      words.map(word => textWord(word)),
    )
    if (found !== null) return found.rule
  }
  return null
}

const MAX_VALUES = 4

/** `--command=curl x`. */
const GLUED = /^--?(?:command|cmd|exec|run|call|script|shell|program|prog|bin|coreutils-prog)=/

/**
 * The words from here on, or those within this word when it holds a command line of its own; and the word with what stands
 * behind `--` (`start-stop-daemon --exec /bin/rm -- -rf x`), or behind the place it runs in (`flatpak run --command=git app push`).
 */
function commandsAt(index: CommandIndex, unit: Unit, at: number): readonly (readonly Word[])[] {
  const { words } = unit
  const isGlued = GLUED.test(words[at]?.value ?? '')
  const value = (words[at]?.value ?? '').replace(GLUED, '').replace(/^[@!]+(?=\w)/, '')
  if (/^\s*[\w./+-]+\s+\S/.test(value)) {
    const line = value.trim().split(/\s+/, MAX_WORDS)
    return [line.map(part => textWord(part))]
  }
  const named = REFERENCE.test(value) ? [...new Set([value, ...programsNamed(value.replace(/^--?[\w-]+=/, ''))])] : [value]
  const heads = named.filter(head => mayStart(index, head))
  if (heads.length === 0) return NO_COMMANDS
  const end = words.findIndex((word, index) => index > at && word.value === '--')
  const tails = [words.slice(at + 1), ...(end < 0 ? [] : [words.slice(end + 1)]), ...(isGlued ? [words.slice(at + 2)] : [])]
  return heads.flatMap(head => tails.map(tail => [textWord(head), ...tail]))
}

const NO_COMMANDS: readonly (readonly Word[])[] = []

/** The name of a program that some rule begins with, under this name or another. */
function mayStart(index: CommandIndex, head: string): boolean {
  if (head.startsWith('-') || !/^[\w./+-]*\w$/.test(head)) return false
  const name = baseName(head)
  return reaches(index, name) || mayBeOther(name)
}

/** Verbs behind which launchers take a command. */
const LAUNCH =
  /^(?:exec|execute|run|cmd|cmd\.run|x|dlx|start|spawn|launch|shell|foreach|run-shell|if-shell|new-window|neww|split-window|splitw|respawn-pane|pipe-pane|display-popup|popup|--)$/

/** A variable for what a launcher runs (`foo A=1 curl`). */
const ASSIGNMENT = /^\w+=/

/** After `--` or such a verb, as one whole argument, or first thing after a program that no table knows, its options and variables. */
function startsCommand(unit: Unit, at: number): boolean {
  const program = baseName(unit.words[0]?.value ?? '')
  const before = unit.words[at - 1]?.value ?? ''
  const word = unit.words[at]?.value ?? ''
  if (NAME_PROGRAMS.has(program)) return before === '--'
  if (LAUNCH.test(before) || GLUED.test(word)) return true
  const isAfterOption = before.startsWith('-') || unit.words[at - 2]?.value?.startsWith('-') === true
  const isPlaced = at === 1 || isAfterOption || ASSIGNMENT.test(before) || /\s/.test(word)
  return findProgram(program) === undefined && (isPlaced || isBehindLauncher(unit, at))
}

/** `srun timeout 5 sudo`. */
function isBehindLauncher({ words }: Unit, at: number): boolean {
  return words.slice(1, at).some(({ value }) => value !== null && isTransparent(value))
}
