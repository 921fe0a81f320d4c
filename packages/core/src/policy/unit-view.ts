// One unit of a command line, prepared for comparison with rules. Everything is made on first use: most units are decided
// by their first words alone.
import type { HoledText } from '../match/glob.ts'
import type { Unit, Word } from '../match/shell/shell-analysis.ts'
import { leadingText } from '../match/shell/word.ts'
import { type CommandShape, isFlag, shapeOf } from './flag-set.ts'
import { knownValue, wordsText } from './normal-form.ts'
import { commandProgram, type ProgramReading } from './program-name.ts'

export interface UnitView {
  readonly unit: Unit
  readonly words: readonly Word[]
  /** Some word has a hole or a glob, or more arguments arrive at run time. */
  readonly dynamic: boolean
  /** Known words from the first on; with the program as allow rules, or as deny rules see it. */
  readonly allowWords: readonly string[]
  readonly denyWords: readonly string[]
  /** Every word is known, so `allowWords` and `denyWords` are complete. */
  readonly complete: boolean
  readonly allowText: () => HoledText
  readonly denyText: () => HoledText
  readonly shape: () => UnitShape
}

export interface UnitShape extends CommandShape {
  readonly operandWords: readonly Word[]
  /** Program and operands, up to the first that is not known. */
  readonly key: readonly string[]
  /** `key` holds all operands. */
  readonly complete: boolean
  /** Some word could turn out to be any flag. */
  readonly hidesFlags: boolean
  readonly operandText: () => HoledText
}

export interface ViewOptions {
  readonly reading: ProgramReading
  /** Compare `~/x` and `$HOME/x` as they were written. */
  readonly asWritten?: boolean
}

export function viewUnit(unit: Unit, words: readonly Word[], options: ViewOptions): UnitView {
  const values = words.map(word => (options.asWritten === true && word.written !== undefined ? word.written : knownValue(word)))
  const holes = values.includes(null)
  const moreArguments = unit.traits.some(trait => trait.kind === 'more-arguments')
  const known = holes ? values.slice(0, values.indexOf(null)) : values
  const prefix = known.map(value => value ?? '')
  const asWritten = options.asWritten === true ? words.map(spellAsWritten) : words
  return {
    unit,
    words,
    dynamic: holes || moreArguments || words.some(word => word.glob),
    allowWords: withProgram(prefix, options.reading),
    denyWords: withProgram(prefix, { for: 'deny' }),
    complete: !holes,
    allowText: once(() => wordsText(renameProgram(asWritten, options.reading), 'literal')),
    denyText: once(() => addMore(wordsText(renameProgram(asWritten, { for: 'deny' }), 'literal'), moreArguments)),
    shape: once(() => unitShape(asWritten, values, { moreArguments, onlyPaths: isGivenPaths(unit) })),
  }
}

/** What find and fd put in begins with the directory they search, so it is never a flag. */
function isGivenPaths(unit: Unit): boolean {
  return /^(?:find|fd|fdfind) /.test(unit.behind.at(-1) ?? '')
}

interface RunTime {
  readonly moreArguments: boolean
  readonly onlyPaths: boolean
}

function unitShape(words: readonly Word[], values: readonly (string | null)[], { moreArguments, onlyPaths }: RunTime): UnitShape {
  const texts = values.map((value, index) => value ?? flagText(words[index]))
  const shape = shapeOf(texts)
  const operandWords = shape.operands.map(at => words[at]).filter(word => word !== undefined)
  const key = [shape.program]
  for (const at of shape.operands) {
    const value = values[at]
    if (value === null || value === undefined || words[at]?.glob === true) break
    key.push(value)
  }
  const hidesFlags = !onlyPaths && (moreArguments || words.some((word, index) => index > 0 && startsWithHole(word)))
  return {
    ...shape,
    operandWords,
    key,
    complete: key.length === shape.operands.length + 1 && !moreArguments,
    hidesFlags: hidesFlags || texts.some((text, index) => text !== null && values[index] === null && isFlag(text)),
    operandText: once(() => addMore(wordsText(operandWords.map(asAnyWords), 'hole'), moreArguments)),
  }
}

/** Of a word with a hole only a beginning that makes it a flag is of use. */
function flagText(word: Word | undefined): string | null {
  const text = word === undefined ? '' : leadingText(word)
  return isFlag(text) ? text : null
}

/** What may be a flag may be absent among the operands. */
function asAnyWords(word: Word): Word {
  return startsWithHole(word) ? { ...word, parts: [{ kind: 'hole', splits: true }] } : word
}

/** A pathname glob yields names of files; only an expansion can become any flag. */
function startsWithHole(word: Word): boolean {
  return word.value === null && word.parts[0]?.kind === 'hole'
}

function addMore(text: HoledText, moreArguments: boolean): HoledText {
  return moreArguments ? { chunks: [...text.chunks, ''], soft: [...text.soft, true] } : text
}

function withProgram(words: readonly string[], reading: ProgramReading): readonly string[] {
  const [program, ...rest] = words
  if (program === undefined) return words
  const name = commandProgram(program, reading)
  return name === program ? words : [name, ...rest]
}

function renameProgram(words: readonly Word[], reading: ProgramReading): readonly Word[] {
  const [first, ...rest] = words
  if (first === undefined || first.value === null) return words
  const name = commandProgram(first.value, reading)
  return name === first.value ? words : [{ ...first, value: name, parts: [{ kind: 'text', value: name }] }, ...rest]
}

function spellAsWritten(word: Word): Word {
  return word.written === undefined ? word : { ...word, value: word.written, parts: [{ kind: 'text', value: word.written }] }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
