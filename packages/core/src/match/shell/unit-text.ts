// The forms of a unit that rules are compared with: its text, and its words with flags taken as a set.
import { parseFlags } from './parse-options.ts'
import type { Unit, Word, WordPart } from './shell-analysis.ts'
import { findProgram } from './table/find-program.ts'
import type { Program } from './table/program.ts'
import { baseName } from './word.ts'

/** Words by single blanks; a word that holds blanks, quotes or nothing is quoted again, so that it stays one word for any pattern. */
export function unitText(unit: Unit): string {
  return unit.words.map(wordText).join(' ')
}

/** The same with `~`, `$HOME` and `$PWD` as they were written, or null where that changes nothing. */
export function writtenText(unit: Unit): string | null {
  if (!unit.words.some(word => word.written !== undefined)) return null
  return unit.words.map(word => (word.written === undefined ? wordText(word) : quoteText(word.written))).join(' ')
}

/** The normal form as parts, for matching that knows holes. A hole is never quoted. */
export function unitParts(unit: Unit): readonly WordPart[] {
  const parts: WordPart[] = []
  unit.words.forEach((word, index) => {
    if (index > 0) parts.push({ kind: 'text', value: ' ' })
    if (word.value !== null) parts.push({ kind: 'text', value: quoteText(word.value) })
    else parts.push(...word.parts)
  })
  return parts
}

/** Normal form of one word; a hole shows as the source. */
export function wordText(word: Word): string {
  return word.value === null ? word.source : quoteText(word.value)
}

function quoteText(text: string): string {
  return text === '' || /[\s'"]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : text
}

export interface UnitFlags {
  /** Base name of the program, empty when it is not known. */
  readonly program: string
  /** Flags as a set, clusters split, known long and short names joined under the first of the table (`-r`). Values are left out. */
  readonly flags: ReadonlySet<string>
  /** Words that are neither flags nor their values: verbs first (`push`, `origin`). */
  readonly operands: readonly Word[]
  /** A hole may hold further flags. */
  readonly open: boolean
}

export function splitFlags(unit: Unit): UnitFlags {
  const [head] = unit.words
  const program = head?.value ? baseName(head.value) : ''
  const table: Program = findProgram(program) ?? {}
  const flags = new Set<string>()
  const operands: Word[] = []
  let at = 1
  let current: Program | undefined = table
  while (current) {
    const parsed = parseFlags(current, unit.words, at)
    for (const flag of parsed.flags) flags.add(flag)
    const verb: number | undefined = parsed.operands[0]
    const next: Program | undefined = verb === undefined ? undefined : verbOf(current, unit.words[verb])
    if (verb !== undefined && (next || current.stops) && current.verbs) {
      operands.push(unit.words[verb] as Word)
      at = verb + 1
      current = next ?? {}
      continue
    }
    for (const index of parsed.operands) operands.push(unit.words[index] as Word)
    current = undefined
  }
  const open = unit.words.some((word, index) => index > 0 && word.parts[0]?.kind === 'hole')
  return { program, flags, operands, open }
}

function verbOf(program: Program, word: Word | undefined): Program | undefined {
  return word?.value ? program.verbs?.[word.value] : undefined
}
