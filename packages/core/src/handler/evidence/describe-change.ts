// What a call did to one file: hashes before and after, and a unified diff within bounds of size.
import { relative, sep } from 'node:path'
import type { FileImage } from './file-image.ts'

export interface FileChange {
  readonly path: string
  readonly change: 'created' | 'modified' | 'deleted' | 'unchanged' | 'unknown'
  readonly before: { readonly hash: string | null; readonly bytes: number } | null
  readonly after: { readonly hash: string | null; readonly bytes: number } | null
  /** null where there is none to show; `note` says why. */
  readonly diff: string | null
  readonly note?: string
}

/** Two texts of one file to their unified diff; null: that takes too long. */
export type CompareTexts = (names: { readonly old: string; readonly new: string }, before: string, after: string) => string | null

/** `before` undefined: nobody looked before the call ran. */
export interface Sides {
  readonly before: FileImage | undefined
  readonly after: FileImage
}

const MAX_DIFF_CHARACTERS = 64 * 1024

export function describeChange(path: string, root: string, { before, after }: Sides, compare: CompareTexts): FileChange {
  const facts = { path, change: changeOf(before, after), before: sideOf(before), after: sideOf(after) }
  if (before === undefined) return { ...facts, diff: null, note: 'the file was not seen before the call' }
  if (facts.change === 'unchanged' || facts.change === 'unknown') return { ...facts, diff: null }
  const obstacle = [before, after].find(image => image.state !== 'text' && image.state !== 'absent')
  if (obstacle !== undefined) return { ...facts, diff: null, note: `${obstacle.state}: no diff` }
  return { ...facts, ...diffTexts(nameIn(root, path), { before: before.text, after: after.text }, compare) }
}

function changeOf(before: FileImage | undefined, after: FileImage): FileChange['change'] {
  if (before === undefined || [before, after].some(image => image.hash === null && image.state !== 'absent')) return 'unknown'
  if (before.hash === after.hash) return 'unchanged'
  if (before.state === 'absent') return 'created'
  return after.state === 'absent' ? 'deleted' : 'modified'
}

function sideOf(image: FileImage | undefined): FileChange['before'] {
  return image === undefined || image.state === 'absent' ? null : { hash: image.hash, bytes: image.bytes }
}

function diffTexts(name: string, { before, after }: { before: string | null; after: string | null }, compare: CompareTexts) {
  const names = { old: before === null ? '/dev/null' : `a/${name}`, new: after === null ? '/dev/null' : `b/${name}` }
  const patch = compare(names, before ?? '', after ?? '')
  if (patch === null) return { diff: null, note: 'too different to compare in time' }
  if (patch.length <= MAX_DIFF_CHARACTERS) return { diff: patch }
  return { diff: patch.slice(0, MAX_DIFF_CHARACTERS), note: `the diff is cut at ${MAX_DIFF_CHARACTERS} of ${patch.length} characters` }
}

function nameIn(root: string, path: string): string {
  const inside = relative(root, path)
  return inside === '..' || inside.startsWith(`..${sep}`) ? path : inside
}
