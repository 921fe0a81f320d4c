// Code that no table reads (`python3 -c`, `make --eval`, `PROMPT_COMMAND=`, what an unknown program is given on standard input): the words of a
// rule anywhere in it, and the files it names. One input may be that of a thousand commands: it is looked through once.
import { spend } from '../match/shell/meter.ts'
import type { Unit, UnitTrait, Word } from '../match/shell/shell-analysis.ts'
import { findProgram } from '../match/shell/table/find-program.ts'
import { textWord } from '../match/shell/word.ts'
import { type CommandIndex, findForbidding } from './command-index.ts'
import { baseName } from './flag-set.ts'
import type { ProgramReading } from './program-name.ts'
import type { Rule } from './rule.ts'
import { UnitView } from './unit-view.ts'

export interface Search {
  readonly index: CommandIndex
  readonly unit: Unit
  readonly reading: ProgramReading
}

/** Longer code is looked through up to here, and so many words of it. */
export const MAX_CODE = 16_384
const MAX_CODE_WORDS = 2048
/** More words than a rule and its flags have. */
export const MAX_COMMAND_LENGTH = 12

/** `isText`: of programs to which a command is only text. */
export function findInCode(search: Search, isText: (program: string) => boolean): Rule | null {
  const { unit } = search
  const program = baseName(unit.words[0]?.value ?? '')
  const isGiven = unit.input !== undefined && program !== '' && findProgram(program) === undefined && !isText(program)
  if (!isGiven && !unit.traits.some(holdsCode)) return null
  for (const text of ownTexts(unit)) {
    const found = findInText(search, text)
    if (found !== null) return found
  }
  return unit.input === undefined ? null : findOnce(codeRules, search, unit.input, (each, word) => findInText(each, knownText(word)))
}

export type FoundRules = WeakMap<CommandIndex, WeakMap<Word, Rule | null>>

const codeRules: FoundRules = new WeakMap()

/** What is found in an input depends on the command only where rules speak of variables that it sets. */
export function findOnce(known: FoundRules, search: Search, word: Word, find: (search: Search, word: Word) => Rule | null): Rule | null {
  if (search.index.namesVariables && search.unit.assignments.length > 0) return find(search, word)
  const rules = known.get(search.index) ?? new WeakMap<Word, Rule | null>()
  known.set(search.index, rules)
  const before = rules.get(word)
  if (before !== undefined) return before
  const found = find({ ...search, unit: { ...search.unit, traits: [] } }, word)
  rules.set(word, found)
  return found
}

function findInText({ index, unit, reading }: Search, text: string): Rule | null {
  const plain: Unit = { ...unit, traits: [] }
  for (const tokens of tokenLists(text)) {
    for (const [at, token] of tokens.entries()) {
      const first = baseName(token)
      if (first === '' || first.startsWith('-') || !reaches(index, first)) continue
      const words = [first, ...tokens.slice(at + 1, at + MAX_COMMAND_LENGTH)].filter(word => word !== '').map(word => textWord(word))
      const found = findForbidding(index, new UnitView(plain, words, { reading }))
      if (found?.match === 'must' && found.rule.pattern.words[0] === first) return found.rule.rule
    }
  }
  return null
}

/** `x=rm -rf y` holds a command behind the sign, `git -c a=b push` has it in a word. */
function tokenLists(text: string): readonly (readonly string[])[] {
  const words = codeWords(text)
  return text.includes('=') ? [words, splitCode(text, /[^\w./@%^~*?+=-]+/)] : [words]
}

function codeWords(text: string): readonly string[] {
  return splitCode(text, /[^\w./@%^~*?+-]+/)
}

function splitCode(text: string, separator: RegExp): readonly string[] {
  spend(SPLIT_WORK + Math.min(text.length, MAX_CODE))
  return text.slice(0, MAX_CODE).split(separator, MAX_CODE_WORDS)
}

const SPLIT_WORK = 20

/** Words of such code that could name a file. */
export function filesInCode(unit: Unit): ReadonlySet<string> {
  if (!unit.traits.some(holdsCode)) return NO_FILES
  const given = unit.input === undefined ? [] : inputFiles(unit.input)
  return new Set([...ownTexts(unit).flatMap(filesInText), ...given].slice(0, MAX_FILES))
}

const NO_FILES: ReadonlySet<string> = new Set()
const MAX_FILES = 64

const filesOfInputs = new WeakMap<Word, readonly string[]>()

function inputFiles(input: Word): readonly string[] {
  const known = filesOfInputs.get(input) ?? filesInText(knownText(input)).slice(0, MAX_FILES)
  filesOfInputs.set(input, known)
  return known
}

function filesInText(text: string): readonly string[] {
  return codeWords(text).filter(word => /[./]/.test(word) && /\w/.test(word))
}

const CODE_TRAITS: ReadonlySet<UnitTrait['kind']> = new Set([
  'interpreter-code',
  'not-covered',
  'environment',
  'state-change',
  'unknown-wrapper-option',
  'written-code',
])

function holdsCode({ kind }: UnitTrait): boolean {
  return CODE_TRAITS.has(kind)
}

function ownTexts({ words, assignments }: Unit): readonly string[] {
  const texts = [...words.slice(1), ...assignments.map(({ value }) => value)].map(knownText)
  // `-Hrm -rf x`: a value that stands right behind its letter.
  return [...texts, ...texts.filter(text => /^-[A-Za-z][\w./]/.test(text)).map(text => text.slice(2))]
}

function knownText({ value, parts }: Word): string {
  return value ?? parts.map(part => (part.kind === 'unknown' ? ' ' : part.value)).join('')
}

/** Whether any rule begins with this program. */
export function reaches(index: CommandIndex, name: string): boolean {
  return index.plain.reaches(name) || index.sets?.reaches(name) === true
}
