// One unit of a command line, prepared for comparison with rules. Everything is made on first use: most units are decided
// by their first words alone.
import type { PartlyKnownText } from '../match/glob.ts'
import { spend } from '../match/shell/meter.ts'
import { isReadOnly } from '../match/shell/read-only.ts'
import type { Unit, Word, WordPart } from '../match/shell/shell-analysis.ts'
import { ANY_SIGN, OTHER, wordSigns } from '../match/shell/signs.ts'
import { leadingText, makeWord, textWord } from '../match/shell/word.ts'
import { canonicalOperands, canonicalWords, possibleOperands, respellings } from './canonical-command.ts'
import { isCaselessProgram } from './caseless-program.ts'
import { equivalents } from './equivalent-command.ts'
import { type CommandShape, isFlag, type OpenFlags, shapeOf } from './flag-set.ts'
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
  readonly moreArguments: boolean
  /** Some word could turn out to be any flag. */
  readonly hidesFlags: boolean
  readonly operandText: () => PartlyKnownText
}

export interface ViewOptions {
  readonly reading: ProgramReading
  /** Compare `~/x` and `$HOME/x` as they were written. */
  readonly asWritten?: boolean
}

/** What one comparison with the rules takes, and each of its words. */
const VIEW_WORK = 40
const WORD_WORK = 3

/** So many words may tell what a program is called otherwise. */
const MAX_HEAD = 18

export class UnitView {
  readonly unit: Unit
  readonly words: readonly Word[]
  /** Some word has an unknown part or a glob, or more arguments arrive at run time. */
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
  #allowText: PartlyKnownText | null = null
  #denyText: PartlyKnownText | null = null
  #shape: UnitShape | null = null
  #shapes: readonly UnitShape[] | null = null
  #onlyLooks: boolean | null = null

  constructor(unit: Unit, words: readonly Word[], options: ViewOptions) {
    spend(VIEW_WORK + words.length * WORD_WORK)
    this.unit = unit
    this.words = options.asWritten === true ? words.map(spellAsWritten) : words
    const known: string[] = []
    const values: (string | null)[] = []
    let dynamic = false
    let complete = true
    const signs = wordSigns(this.words)
    for (let at = 0; at < this.words.length; at++) {
      const word = this.words[at] as Word
      const value = ((signs[at] ?? ANY_SIGN) & OTHER) === 0 ? word.value : knownValue(word)
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

  allowText(): PartlyKnownText {
    this.#allowText ??= wordsText(renameProgram(this.words, this.#reading), 'literal')
    return this.#allowText
  }

  denyText(): PartlyKnownText {
    this.#denyText ??= addMore(wordsText(renameProgram(this.words, FOR_DENY), 'literal'), this.#moreArguments)
    return this.#denyText
  }

  /** Of the group `@read-only`, whatever its unknown parts become. */
  onlyLooks(): boolean {
    this.#onlyLooks ??= isLooking(this.unit, this.words, this.#reading)
    return this.#onlyLooks
  }

  shape(): UnitShape {
    this.#shape ??= unitShape(this.words, this.#values, { moreArguments: this.#moreArguments, onlyPaths: isGivenPaths(this.unit) })
    return this.#shape
  }

  /** All readings that are certain: as it stands, and without what is only the value of an option, in the canonical spelling. */
  shapes(): readonly UnitShape[] {
    this.#shapes ??= certainShapes(this.shape())
    return this.#shapes
  }

  renamed(program: string): UnitView {
    return new UnitView(this.unit, [textWord(program), ...this.words.slice(1)], { reading: this.#reading })
  }

  /** As allow rules see it, with the program's own name for the sub-command, or null where that is the one it has. */
  canonical(): UnitView | null {
    const [program] = this.allowWords
    const words = program === undefined || program.includes('/') ? null : canonicalWords(renameProgram(this.words, this.#reading))
    return words === null ? null : new UnitView(this.unit, words, { reading: this.#reading })
  }

  /** In capitals, where the program's language does not know case; null for others. */
  upperCased(): UnitView | null {
    const [program] = this.denyWords
    if (program === undefined || !isCaselessProgram(program)) return null
    const words = this.words.map((word, at) => (at === 0 || word.value === null ? word : textWord(upperValue(word.value))))
    return new UnitView(this.unit, words, { reading: this.#reading })
  }

  /** The same command as the canonical name of its program has it (`pip3` is `pip`), and as the file does that an interpreter is given. */
  respelled(): readonly UnitView[] {
    const [program] = this.denyWords
    const found = program === undefined ? [] : respellings(program, this.denyWords.slice(1, MAX_HEAD))
    return found.map(({ head, length }) => {
      const words = [...head.map(name => textWord(name)), ...this.words.slice(length)]
      return new UnitView(this.unit, words, { reading: this.#reading })
    })
  }
}

/** An option stays as it is; its value may stand right behind it (`-c'drop table x'`, `--command=drop ...`). */
function upperValue(text: string): string {
  if (!isFlag(text)) return text.toUpperCase()
  const start = text.startsWith('--') ? text.indexOf('=') + 1 : 2
  return start === 0 ? text : text.slice(0, start) + text.slice(start).toUpperCase()
}

const FOR_DENY: ProgramReading = { for: 'deny' }

function isLooking(unit: Unit, words: readonly Word[], reading: ProgramReading): boolean {
  const program = words[0]?.value ?? null
  if (program === null || !unit.traits.every(trait => trait.kind === 'more-arguments' || trait.kind === 'neutral')) return false
  const name = commandProgram(program, reading)
  const isOpen = unit.traits.some(trait => trait.kind === 'more-arguments')
  return isReadOnly(name, isOpen ? [...words, ANY_ARGUMENTS] : words)
}

const ANY_ARGUMENTS: Word = makeWord([{ kind: 'unknown', splits: true }], '...')

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
  const open = values.includes(null) ? openFlags(words, values) : undefined
  const texts = open === undefined ? values : words.map((word, at) => (open.has(at) ? leadingText(word) : (values[at] ?? null)))
  const shape = shapeOf(texts, open)
  const operandWords = shape.operands.map(at => words[at]).filter(word => word !== undefined)
  const mayBeFlag = (word: Word, index: number): boolean => index > 0 && startsWithUnknown(word)
  const hidesFlags = (!onlyPaths && (moreArguments || words.some(mayBeFlag))) || (open !== undefined && open.size > 0)
  return withOperands(shape, { operandWords, moreArguments, hidesFlags })
}

interface Operands {
  readonly operandWords: readonly Word[]
  readonly moreArguments: boolean
  readonly hidesFlags: boolean
}

function withOperands(shape: CommandShape, { operandWords, moreArguments, hidesFlags }: Operands): UnitShape {
  spend(VIEW_WORK + (operandWords.length + shape.flags.length) * WORD_WORK)
  const key = [shape.program]
  for (const word of operandWords) {
    const value = knownValue(word)
    if (value === null || word.glob) break
    key.push(value)
  }
  const next = knownStart(operandWords[key.length - 1])
  const complete = key.length === operandWords.length + 1 && !moreArguments
  const operandText = once(() => addMore(wordsText(operandWords.map(asAnyWords), 'unknown'), moreArguments))
  const { program, flags, hasOwnFlags, operands, values, uncertain, command } = shape
  // Field by field: a spread costs more than the comparison.
  return {
    program,
    flags,
    hasOwnFlags,
    operands,
    values,
    uncertain,
    command,
    operandWords,
    moreArguments,
    key,
    next,
    complete,
    hidesFlags,
    operandText,
  }
}

function certainShapes(shape: UnitShape): readonly UnitShape[] {
  const bare = shape.values.length === 0 ? shape.operandWords : without(shape, shape.values)
  const canonical = canonicalOperands(shape.program, bare)
  const found = canonical === shape.operandWords ? [shape] : [shape, withOperands(shape, { ...shape, operandWords: canonical })]
  for (const { operands, flags } of equivalents(shape.program, canonical, shape.flags)) {
    found.push(withOperands({ ...shape, flags: [...shape.flags, ...flags] }, { ...shape, operandWords: operands }))
  }
  return found
}

/** More options with unknown values than this stand in no command that people write. */
const MAX_UNCERTAIN = 4

/** What the command may be besides: words that may be values of options left out, names that may be cut short. */
export function possibleShapes(shape: UnitShape): readonly UnitShape[] {
  const { uncertain, values, program, flags } = shape
  const found: UnitShape[] = []
  const settings = values.slice(0, MAX_HEAD).flatMap(at => shape.operandWords[shape.operands.indexOf(at)] ?? [])
  for (const gone of subsets(uncertain)) {
    const operands = canonicalOperands(program, without(shape, [...values, ...gone]))
    for (const operandWords of [operands, ...possibleOperands(program, operands, { flags, settings })]) {
      found.push(withOperands(shape, { ...shape, operandWords }))
    }
  }
  return found
}

const FEW = 8

function without(shape: UnitShape, gone: readonly number[]): readonly Word[] {
  if (gone.length === 0) return shape.operandWords
  // A set pays for itself only where there are many.
  const many = gone.length > FEW ? new Set(gone) : null
  const isGone = (at: number): boolean => (many === null ? gone.includes(at) : many.has(at))
  return shape.operandWords.filter((_, index) => !isGone(shape.operands[index] ?? -1))
}

function subsets(positions: readonly number[]): readonly (readonly number[])[] {
  let found: readonly (readonly number[])[] = [[]]
  for (const position of positions.slice(0, MAX_UNCERTAIN)) found = [...found, ...found.map(subset => [...subset, position])]
  return positions.length <= MAX_UNCERTAIN ? found : [...found, positions]
}

/** Of a word with an unknown part only a beginning that makes it a flag is of use. */
function openFlags(words: readonly Word[], values: readonly (string | null)[]): OpenFlags {
  const found = new Map<number, 'one' | 'many'>()
  for (const [at, word] of words.entries())
    if (at > 0 && values[at] === null && startsAsFlag(word)) found.set(at, word.parts.some(isSplitting) ? 'many' : 'one')
  return found
}

function startsAsFlag(word: Word): boolean {
  return leadingText(word).startsWith('-')
}

function isSplitting(part: WordPart): boolean {
  return part.kind === 'unknown' && part.splits
}

/** What may be a flag, or part of one, may be absent among the operands. */
function asAnyWords(word: Word): Word {
  return startsWithUnknown(word) || (word.value === null && startsAsFlag(word))
    ? { ...word, parts: [{ kind: 'unknown', splits: true }] }
    : word
}

/** A pathname glob yields names of files; only an expansion can become any flag. */
function startsWithUnknown(word: Word): boolean {
  return word.value === null && word.parts[0]?.kind === 'unknown'
}

function addMore(text: PartlyKnownText, moreArguments: boolean): PartlyKnownText {
  return moreArguments ? { chunks: [...text.chunks, ''], soft: [...text.soft, true] } : text
}

function withProgram(words: readonly string[], reading: ProgramReading): readonly string[] {
  const program = words[0]
  if (program === undefined) return words
  const name = commandProgram(program, reading)
  return name === program ? words : [name, ...words.slice(1)]
}

function renameProgram(words: readonly Word[], reading: ProgramReading): readonly Word[] {
  const first = words[0]
  if (first === undefined || first.value === null) return words
  const name = commandProgram(first.value, reading)
  return name === first.value ? words : [{ ...first, value: name, parts: [{ kind: 'text', value: name }] }, ...words.slice(1)]
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
