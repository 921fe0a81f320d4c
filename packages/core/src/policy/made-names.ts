// Effects on files under a name that the same line gave them: `ln -s ~ h; cat h/.ssh/id_rsa` reads `~/.ssh/id_rsa`.
import { below } from '../match/path/path-anchors.ts'
import { collapse } from '../match/path/resolve-path.ts'
import { type WordSegment, wordSegments } from '../match/path/word-segments.ts'
import type { FileEffect, MadeName, Word, WordPart } from '../match/shell/shell-analysis.ts'
import { anyText, makeWord } from '../match/shell/word.ts'

/** More than these are not followed: nobody types so many, and the question is left to a person. */
const MAX_LOOKS = 4096

/** So many links one after the other a system follows; names that lead into each other would never end. */
const MAX_STEPS = 40

interface SplitName extends MadeName {
  readonly names: readonly string[]
}

/** Finds what an effect reaches through the names; null: there is more than can be followed. */
export type NameFollower = (effect: FileEffect) => readonly FileEffect[] | null

export function followNames(given: readonly MadeName[]): NameFollower {
  const names: readonly SplitName[] = given.map(name => ({ ...name, names: name.path.split('/').filter(part => part !== '') }))
  let looks = 0
  return effect => {
    const found = new Map<string, FileEffect>()
    const pending = [{ effect, steps: 0 }]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      looks += names.length
      if (looks > MAX_LOOKS || next.steps > MAX_STEPS) return null
      for (const one of throughNames(next.effect, names)) {
        const key = one.path.parts.map(part => (part.kind === 'unknown' ? '\0' : part.value)).join('')
        if (found.has(key)) continue
        found.set(key, one)
        pending.push({ effect: one, steps: next.steps + 1 })
      }
    }
    return [...found.values()]
  }
}

function throughNames(effect: FileEffect, given: readonly SplitName[]): readonly FileEffect[] {
  const names = reachable(effect, given)
  if (names.length === 0) return []
  const { segments, isPlaced, hasUnknown } = wordSegments(effect.path, { base: effect.base, caseInsensitive: false, yieldsHidden: false })
  if (!isPlaced || hasUnknown) return []
  const role = effect.role === 'full' ? 'deny-only' : effect.role
  return names
    .filter(name => !(name.isCopy && effect.access === 'write') && !isInside(effect, name) && goesThrough(segments, name.names))
    .map(name => ({
      ...effect,
      role,
      base: '/',
      path: wordBelow(name.target, segments.slice(name.names.length), effect.path.source),
    }))
}

/** Of a path that is known to the last letter, a look at the text leaves out most names. */
function reachable({ path: { value, glob }, base }: FileEffect, names: readonly SplitName[]): readonly SplitName[] {
  if (value === null || glob) return names
  const path = collapse(value.startsWith('/') ? value : `${base ?? ''}/${value}`)
  return names.filter(name => below(path, name.path) !== null)
}

/** What lies in the folder that is seen as `/` is not looked for in it once more. */
function isInside({ path: { value }, base }: FileEffect, { path, target }: MadeName): boolean {
  return (
    path === '/' &&
    target !== null &&
    value !== null &&
    below(collapse(value.startsWith('/') ? value : `${base ?? ''}/${value}`), target) !== null
  )
}

function goesThrough(segments: readonly WordSegment[], names: readonly string[]): boolean {
  return segments.length >= names.length && names.every((name, at) => segments[at]?.matches(name) === true)
}

function wordBelow(target: string | null, rest: readonly WordSegment[], source: string): Word {
  const start: WordPart = target === null ? anyText : { kind: 'text', value: target }
  return makeWord([start, ...rest.flatMap(({ parts }): readonly WordPart[] => [{ kind: 'text', value: '/' }, ...parts])], source)
}
