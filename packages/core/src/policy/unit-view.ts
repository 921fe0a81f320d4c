// One unit of a command line, prepared for comparison with rules. Everything is made on first use: most units are decided
// by their first words alone.
import type { HoledText } from '../match/glob.ts'
import type { Unit, Word } from '../match/shell/shell-analysis.ts'
import { leadingText } from '../match/shell/word.ts'
import { type CommandShape, isFlag, shapeOf } from './flag-set.ts'
import { knownStart, knownValue, wordsText } from './normal-form.ts'
import { commandProgram, type ProgramReading } from './program-name.ts'

export interface UnitShape extends CommandShape {
  readonly operandWords: readonly Word[]
  /** Program and operands, up to the first that is not known. */
  readonly key: readonly string[]
  /** What the first operand that is not in `key` begins with. */
  readonly next: string
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

export class UnitView {
  readonly unit: Unit
  readonly words: readonly Word[]
  /** Some word has a hole or a glob, or more arguments arrive at run time. */
  readonly dynamic: boolean
  /** Known words from the first on; with the program as allow rules, or as deny rules see it. */
  readonly allowWords: readonly string[]
  readonly denyWords: readonly string[]
  /** What the first word that is not known begins with. */
  readonly next: string
  /** Every word is known, so `allowWords` and `denyWords` are complete. */
  readonly complete: boolean
  readonly #values: readonly (string | null)[]
  readonly #reading: ProgramReading
  readonly #moreArguments: boolean
  #allowText: HoledText | null = null
  #denyText: HoledText | null = null
  #shape: UnitShape | null = null

  constructor(unit: Unit, words: readonly Word[], options: ViewOptions) {
    this.unit = unit
    this.words = options.asWritten === true ? words.map(spellAsWritten) : words
    const known: string[] = []
    const values: (string | null)[] = []
    let dynamic = false
    let complete = true
    for (const word of this.words) {
      const value = knownValue(word)
      values.push(value)
      if (value === null) complete = false
      else if (complete) known.push(value)
      if (value === null || word.glob) dynamic = true
    }
    this.#moreArguments = unit.traits.some(trait => trait.kind === 'more-arguments')
    this.#values = values
    this.#reading = options.reading
    this.dynamic = dynamic || this.#moreArguments
    this.complete = complete
    this.next = complete ? '' : knownStart(this.words[known.length])
    this.allowWords = withProgram(known, options.reading)
    this.denyWords = withProgram(known, FOR_DENY)
  }

  allowText(): HoledText {
    this.#allowText ??= wordsText(renameProgram(this.words, this.#reading), 'literal')
    return this.#allowText
  }

  denyText(): HoledText {
    this.#denyText ??= addMore(wordsText(renameProgram(this.words, FOR_DENY), 'literal'), this.#moreArguments)
    return this.#denyText
  }

  shape(): UnitShape {
    this.#shape ??= unitShape(this.words, this.#values, { moreArguments: this.#moreArguments, onlyPaths: isGivenPaths(this.unit) })
    return this.#shape
  }
}

const FOR_DENY: ProgramReading = { for: 'deny' }

/** What find and fd put in begins with the directory they search, so it is never a flag. */
function isGivenPaths(unit: Unit): boolean {
  return /^(?:find|fd|fdfind) /.test(unit.behind.at(-1) ?? '')
}

interface RunTime {
  readonly moreArguments: boolean
  readonly onlyPaths: boolean
}

/** `values`: those of the words, null where one is not known to the last character. */
function unitShape(words: readonly Word[], values: readonly (string | null)[], { moreArguments, onlyPaths }: RunTime): UnitShape {
  const texts = values.includes(null) ? words.map((word, at) => values[at] ?? flagText(word)) : values
  const shape = shapeOf(texts)
  const operandWords = shape.operands.map(at => words[at]).filter(word => word !== undefined)
  const mayBeFlag = (word: Word, index: number): boolean => index > 0 && startsWithHole(word)
  const isPartFlag = (text: string | null, index: number): boolean => text !== null && values[index] === null
  const hidesFlags = (!onlyPaths && (moreArguments || words.some(mayBeFlag))) || (texts !== values && texts.some(isPartFlag))
  return withOperands(shape, { operandWords, moreArguments, hidesFlags })
}

interface Operands {
  readonly operandWords: readonly Word[]
  readonly moreArguments: boolean
  readonly hidesFlags: boolean
}

function withOperands(shape: CommandShape, { operandWords, moreArguments, hidesFlags }: Operands): UnitShape {
  const { program, flags, hasOwnFlags, operands, uncertain } = shape
  const key = [program]
  for (const word of operandWords) {
    const value = knownValue(word)
    if (value === null || word.glob) break
    key.push(value)
  }
  const next = knownStart(operandWords[key.length - 1])
  const complete = key.length === operandWords.length + 1 && !moreArguments
  const operandText = once(() => addMore(wordsText(operandWords.map(asAnyWords), 'hole'), moreArguments))
  return { program, flags, hasOwnFlags, operands, uncertain, operandWords, key, next, complete, hidesFlags, operandText }
}

/** The shape without the operands that may be values of options: all of them, and the first alone. */
export function certainShapes(shape: UnitShape): readonly UnitShape[] {
  const { uncertain, operands, hidesFlags, complete } = shape
  if (uncertain.length === 0) return []
  const without = (gone: readonly number[]): UnitShape => {
    const operandWords = shape.operandWords.filter((_, index) => !gone.includes(operands[index] ?? -1))
    return withOperands(shape, { operandWords, moreArguments: !complete, hidesFlags })
  }
  return uncertain.length === 1 ? [without(uncertain)] : [without(uncertain), without(uncertain.slice(0, 1))]
}

/** Of a word with a hole only a beginning that makes it a flag is of use. */
function flagText(word: Word): string | null {
  const text = leadingText(word)
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
