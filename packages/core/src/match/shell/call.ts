// One command while its program's knowledge is applied to it.
import { isSpecialVariable } from './environment.ts'
import { noteText, partOfFile } from './made-file.ts'
import { pathWork, STARTED_WORK, UNIT_WORK, wordWork } from './meter.ts'
import type { EnvAssignment, FileEffect, Span, Unit, UnitTrait, Word } from './shell-analysis.ts'
import { homeOf } from './variable.ts'
import type { Invocation, Place, Walk } from './walk.ts'
import { noteEnd, spendCommand, touchFile } from './walk.ts'
import { leadingText, makeWord, textWord } from './word.ts'

/** The unit while its role and traits are still being found. */
export interface DraftUnit extends Omit<Unit, 'role' | 'traits'> {
  role: Unit['role']
  readonly traits: UnitTrait[]
}

export interface Call {
  readonly walk: Walk
  readonly place: Place
  readonly invocation: Invocation
  readonly words: readonly Word[]
  /** Base name of the program. */
  readonly name: string
  readonly unit: DraftUnit
  /** Index of the unit. */
  readonly index: number
}

export function startUnit(walk: Walk, invocation: Invocation, place: Place, name: string): Call {
  const { words, assignments, span, source } = invocation
  walk.meter.spend(unitWork(invocation, place))
  const { role, behind, scope, stdin, isGuess } = place
  const draft: DraftUnit = { words, assignments, span, source, role, behind, traits: [...invocation.traits], bases: scope.bases }
  const input = invocation.supplied ?? (stdin.kind === 'text' || stdin.kind === 'pipe' ? stdin.text : null)
  const unit =
    input === null && isGuess !== true ? draft : { ...draft, ...(input !== null && { input }), ...(isGuess === true && { isGuess }) }
  noteEnd(walk, place)
  const index = walk.units.push(unit) - 1
  return { walk, place, invocation, words, name, unit, index }
}

function unitWork({ words, assignments }: Invocation, { scope, behind }: Place): number {
  const bases = scope.bases ?? []
  let work = behind.length === 0 ? UNIT_WORK : UNIT_WORK + STARTED_WORK
  for (const word of words) work += wordWork(word, bases.length)
  for (const { value } of assignments) work += wordWork(value, bases.length)
  for (const base of bases) work += pathWork(base.length)
  return work
}

/** Whether something keeps the unit from being waved through as a mere wrapper. */
export function isBlocked(unit: DraftUnit): boolean {
  return unit.traits.some(trait => trait.kind !== 'more-arguments' && trait.kind !== 'neutral')
}

/** It needs no rule, unless something about it does. */
export function markNeutral(call: Call): void {
  if (call.unit.traits.length === 0) call.unit.traits.push({ kind: 'neutral' })
}

export function notCovered(call: Call, why: string): void {
  call.unit.traits.push({ kind: 'not-covered', why })
}

/** Programs that write what they are sent, or what comes from elsewhere. */
const WRITES_TEXT: ReadonlySet<string> = new Set(
  'tee dd sponge curl wget aria2c axel scp sftp base64 base32 openssl gpg xxd uudecode http https xh curlie awk gawk mawk nawk'.split(' '),
)

/** Programs that change what stands in a file, by a script among their words or by a text that they are sent. */
const EDITORS: ReadonlySet<string> = new Set('sed gsed perl ruby patch ed ex'.split(' '))

export function editsText(name: string): boolean {
  return EDITORS.has(name)
}

/** What comes to stand in the file; null: only the run knows. */
function passedText({ name, words, place }: Call): Word | null {
  const sent = sentText(place)
  if (editsText(name)) return partOfFile([...words.slice(1), ...(sent === null ? [] : [sent])].map(leadingText))
  return name === 'tee' || name === 'sponge' ? sent : null
}

/** What arrives on standard input, where that is known. */
export function sentText({ stdin }: Place): Word | null {
  return stdin.kind === 'text' || stdin.kind === 'pipe' ? stdin.text : null
}

/** A file among the arguments. */
export function touchArgument(call: Call, access: FileEffect['access'], path: Word, role: FileEffect['role']): void {
  if (path.value === '-') return
  if (access === 'write' && (WRITES_TEXT.has(call.name) || editsText(call.name))) noteText(call.walk, call.place, path, passedText(call))
  const effect = { access, path, cause: 'argument', role, span: call.unit.span, unit: call.index } as const
  touchFile(call.walk, effect, call.place)
  const home = path.value?.startsWith('~/') === true ? homeOf(call.walk) : null
  // In an option or in quotes the shell leaves the sign alone; many programs know it too (`wget --body-file=~/x`).
  if (home !== null)
    touchFile(call.walk, { ...effect, path: textWord(home + path.value?.slice(1), path.source), role: 'guess' }, call.place)
}

export interface Inner {
  readonly words: readonly Word[]
  readonly behind: string
  readonly role?: Unit['role']
  readonly assignments?: readonly EnvAssignment[]
  readonly traits?: readonly UnitTrait[]
  readonly place?: Place
}

/** A command that this one starts. */
export function runInner(call: Call, { words, behind, role, assignments = [], traits = [], place = call.place }: Inner): void {
  const span: Span = call.unit.span
  if (words.length === 0 || !spendCommand(call.walk, 0, span)) return
  const source = words.map(word => word.source).join(' ')
  const inner: Place = { ...place, role: role ?? place.role, behind: [...place.behind, behind], depth: place.depth + 1 }
  call.walk.runInvocation(call.walk, { words, assignments, span, source, direct: false, traits }, inner)
}

/** What needs a rule of its own when it stands alone, needs one behind a launcher too: the launcher's unit stands for it. */
export function vouchFor(call: Call, from: number): void {
  const { traits } = call.unit
  for (const unit of call.walk.units.slice(from)) {
    for (const trait of unit.traits)
      if (outlivesLauncher(trait, unit) && !traits.some(known => isSameTrait(known, trait))) traits.push(trait)
  }
}

function outlivesLauncher(trait: UnitTrait, { words }: Unit): boolean {
  if (trait.kind === 'environment') return isSpecialVariable(trait.name)
  // `uv run bash -c 'export LD_PRELOAD=./x.so; ls'`
  if (trait.kind === 'state-change') return words.some(word => isSpecialVariable(/^\w+(?=\+?=)/.exec(leadingText(word))?.[0] ?? ''))
  return trait.kind === 'interpreter-code' || trait.kind === 'not-covered' || trait.kind === 'unknown-wrapper-option'
}

function isSameTrait(left: UnitTrait, right: UnitTrait): boolean {
  return left.kind === right.kind && JSON.stringify(left) === JSON.stringify(right)
}

/** A program and its arguments given as one text that no shell reads. */
export function splitWords(word: Word): readonly Word[] {
  if (word.value === null) return [makeWord(word.parts, word.source)]
  const listed = listedWords(word)
  if (listed !== null) return listed
  return word.value
    .split(/\s+/)
    .filter(part => part !== '')
    .map(part => textWord(unquote(part)))
}

/** `["sh", "-c", "x"]`: words as a list; null where it is none. */
export function listedWords({ value, source }: Word): readonly Word[] | null {
  if (value?.startsWith('[') !== true) return null
  try {
    const list: unknown = JSON.parse(value)
    const isList = Array.isArray(list) && list.every(each => typeof each === 'string')
    return isList ? list.map(each => textWord(each, source)) : null
  } catch {
    return null
  }
}

function unquote(text: string): string {
  return text.replace(/^(['"])(.*)\1$/, '$2')
}
