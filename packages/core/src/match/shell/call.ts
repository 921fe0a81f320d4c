// One command while its program's knowledge is applied to it.
import type { EnvAssignment, FileEffect, Span, Unit, UnitTrait, Word } from './shell-analysis.ts'
import type { Invocation, Place, Walk } from './walk.ts'
import { spendCommand, touchFile } from './walk.ts'
import { makeWord, textWord } from './word.ts'

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
  const unit: DraftUnit = { words, assignments, span, source, role: place.role, behind: place.behind, traits: [...invocation.traits] }
  const index = walk.units.push(unit) - 1
  return { walk, place, invocation, words, name, unit, index }
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

/** A file among the arguments. */
export function touchArgument(call: Call, access: FileEffect['access'], path: Word, role: FileEffect['role']): void {
  if (path.value === '-') return
  touchFile(call.walk, { access, path, cause: 'argument', role, span: call.unit.span, unit: call.index }, call.place)
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

/** A program and its arguments given as one text that no shell reads. */
export function splitWords(word: Word): readonly Word[] {
  if (word.value === null) return [makeWord(word.parts, word.source)]
  return word.value
    .split(/\s+/)
    .filter(part => part !== '')
    .map(part => textWord(unquote(part)))
}

function unquote(text: string): string {
  return text.replace(/^(['"])(.*)\1$/, '$2')
}
