// The folder in which the agent is left when the line is done. An agent starts the shell of a hook line there: where that is no folder any more
// (`rmdir ../d && touch ../d`), or one that nobody may enter (`chmod 000 .`), no hook can be started, and the agent runs its next call without.

import { spend } from '../shell/meter.ts'
import type { Word } from '../shell/shell-analysis.ts'
import { leadingText, textWord } from '../shell/word.ts'
import { isInterpreter } from './guarded-command.ts'
import { nameMatches, patternTokens } from './name-pattern.ts'
import { treeCopiers } from './tree-copier.ts'
import { findLaidTree, optionValues } from './tree-layer.ts'
import { findRemoved } from './tree-remover.ts'

export interface PlacedUnit {
  readonly program: string
  readonly words: readonly Word[]
  /** Where it may run; null: not known. */
  readonly bases: readonly string[] | null
}

interface Workplace {
  /** Where the agent works now. */
  readonly cwd: string
  /** Where the line leaves the shell; null: known only when it runs. */
  readonly ends: readonly string[] | null
}

/** The command that takes the folder away, or closes it; undefined: none does. */
export function findUnseating<T extends PlacedUnit>(units: readonly T[], { cwd, ends }: Workplace): T | undefined {
  const taking = units.flatMap((unit, at) => [
    ...takenBy(unit.program, unit.words).map(word => ({ unit, at, word, isAbove: false })),
    ...laidBy(unit.program, unit.words).map(word => ({ unit, at, word, isAbove: true })),
  ])
  if (taking.length === 0) return undefined
  const places = ends ?? [cwd]
  const found = taking.find(({ unit, at, word, isAbove }) => {
    const after = units.slice(at + 1)
    const takes = (place: string): boolean => (unit.bases ?? [cwd]).some(base => mayHold(word, base, place, isAbove))
    // Most agents stay where they are, wherever a command of theirs goes.
    return places.some(place => takes(place) && !isMadeAgain(after, place, cwd)) || (takes(cwd) && putsThere(after, cwd, cwd))
  })
  return found?.unit
}

/** `rm -rf build && mkdir build && cd build`: a folder again, and nothing else in its place. */
function isMadeAgain(after: readonly PlacedUnit[], place: string, cwd: string): boolean {
  return after.some(unit => unit.program === 'mkdir' && names(unit, place, cwd)) && !putsThere(after, place, cwd)
}

function putsThere(after: readonly PlacedUnit[], place: string, cwd: string): boolean {
  return after.some(unit => PUTS.test(unit.program) && names(unit, place, cwd))
}

function names({ words, bases }: PlacedUnit, place: string, cwd: string): boolean {
  return words.slice(1).some(word => (bases ?? [cwd]).some(base => mayHold(word, base, place)))
}

const PUTS = /^(?:touch|ln|cp|mv|tee|mkfifo|mknod|truncate|dd|install|curl|wget)$/

const NONE: readonly Word[] = []

/** What the command removes, moves away or closes, with all that is in it. */
function takenBy(program: string, words: readonly Word[]): readonly Word[] {
  if (isInterpreter(program)) return codeTaken(words)
  // Where nothing is named, what lies in the folder goes, and the folder stays.
  if (!TAKERS.test(program)) return findRemoved(program, words)?.trees.filter(tree => words.includes(tree)) ?? NONE
  const operands = words.slice(1).filter(word => !leadingText(word).startsWith('-'))
  if (/^g?rmdir$/.test(program)) return operands
  if (/^g?rm$/.test(program)) return words.some(({ value }) => REMOVES_FOLDERS.test(value ?? '')) ? operands : NONE
  if (/^g?mv$/.test(program)) return movedBy(words, operands)
  if (/^g?chmod$/.test(program)) return closes(words) ? operands : NONE
  if (program === 'setfacl') return words.some(({ value }) => /:(?:[r-][w-]?-|[0246])(?:,|$)/.test(value ?? '')) ? operands : NONE
  // find never removes the folder that it calls a dot.
  return removesAll(words) ? operands.slice(0, 1).filter(({ value }) => !/^\.?\/?\.?$/.test(value ?? '')) : NONE
}

/** `shutil.rmtree('../src')`, `fs.renameSync(process.cwd(), x)`, `rmdir "."`, `Path('../src').rmdir()`: the folders that code names so. */
function codeTaken(words: readonly Word[]): readonly Word[] {
  return words.slice(1).flatMap(word => {
    const text = word.value ?? leadingText(word)
    spend(text.length)
    if (!TAKES.test(text)) return NONE
    const named = [...text.matchAll(TAKES_NAMED), ...text.matchAll(NAMED_TAKES)].map(([, name]) => textWord(name ?? ''))
    return TAKES_HERE.test(text) ? [...named, textWord('.')] : named
  })
}

const TAKES = /rmdir|rmtree|rmSync|\brm\b|rename|\bmove|chmod|rm_r|remove_dir|removedirs|remove_tree/i
const TAKING = String.raw`\b(?:rmdir|rmtree|rm|rename|move|chmod|rm_rf?|remove_dir\w*|removedirs|remove_tree)(?:Sync)?\s*\(?\s*`
const TAKES_NAMED = new RegExp(`${TAKING}(?:[\\w.]+\\s*\\(\\s*)?["'\`]([^"'\`]+)["'\`]`, 'g')
const NAMED_TAKES = /["'`]([^"'`]+)["'`]\s*\)*\s*\.\s*(?:rmdir|rmtree|rename|chmod)\b/g
const TAKES_HERE = new RegExp(`${TAKING}(?:[\\w.]*(?:getcwd|cwd|pwd)\\b)`, 'i')

/** Of other programs one table says what they remove. */
const TAKERS = /^(?:g?(?:rmdir|rm|mv|chmod|find)|setfacl)$/

/** A tree that comes over a folder above may bring a file by the name of this one: `git -C .. checkout x`, `tar xf x.tar -C ..`. */
function laidBy(program: string, words: readonly Word[]): readonly Word[] {
  const copier = treeCopiers.get(program)
  const tree = copier === undefined ? findLaidTree(program, words) : copier(words)
  if (tree === null) return NONE
  return tree.place === null || tree.place === 'home' || tree.place === 'anywhere'
    ? tree.into
    : [...tree.into, textWord(tree.place === '..' ? '..' : '.')]
}

function movedBy(words: readonly Word[], operands: readonly Word[]): readonly Word[] {
  const into = optionValues(words, /^(?:-[a-zA-Z]*t|--target-directory)(?:=|$)/)
  return into.length > 0 ? operands.filter(word => !into.includes(word)) : operands.slice(0, -1)
}

/** Without a test that leaves folders, or all of other names, alone. */
function removesAll(words: readonly Word[]): boolean {
  const has = (pattern: RegExp): boolean => words.some(({ value }) => pattern.test(value ?? ''))
  return has(/^-delete$/) && !has(/^-(?:i?(?:name|path|regex|wholename)|type|mindepth|size|[acm]?newer|[acm]time)$/)
}

const REMOVES_FOLDERS = /^(?:-[a-zA-Z]*[rRd]|--(?:recursive|dir))/

/** A mode without the right to enter: `000`, `644`, `a-x`, `u=rw`, `-rwx`. */
function closes(words: readonly Word[]): boolean {
  return words.some(({ value }, at) => {
    if (at === 0 || value === null) return false
    if (/^[0-7]{1,4}$/.test(value)) return !/[1357]\d\d$/.test(value)
    return value.split(',').some(part => /^(?:[ugo]*[ua][ugoa]*)?(?:-[rwX]*x|=[rwst]*$)/.test(part))
  })
}

/** Whether the word may name the folder or one above it; `isAbove`: only one above it. */
function mayHold(word: Word, base: string, place: string, isAbove = false): boolean {
  const text = word.parts.map(part => (part.kind === 'unknown' ? '*' : part.value)).join('')
  // What is only a variable may be anything, and is nobody's aim.
  if (/^\**$/.test(text)) return false
  const pattern = segmentsOf(text.startsWith('/') ? text : `${base}/${text}`)
  const folders = segmentsOf(place)
  return (
    pattern.length <= folders.length - (isAbove ? 1 : 0) &&
    pattern.every((segment, at) => segment === folders[at] || nameMatches(patternTokens(segment, false), folders[at] ?? ''))
  )
}

function segmentsOf(path: string): readonly string[] {
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments
}
