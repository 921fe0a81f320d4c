// What a call did to one file: hashes before and after, and a unified diff within bounds of size and time.
import { relative, sep } from 'node:path'
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
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

const DIFF_MS = 200
const MAX_EDITS = 20_000
const MAX_DIFF_CHARACTERS = 64 * 1024

/** `before` undefined: nobody looked before the call ran. */
export function describeChange(path: string, root: string, before: FileImage | undefined, after: FileImage): FileChange {
  const facts = { path, change: changeOf(before, after), before: sideOf(before), after: sideOf(after) }
  if (before === undefined) return { ...facts, diff: null, note: 'the file was not seen before the call' }
  if (facts.change === 'unchanged' || facts.change === 'unknown') return { ...facts, diff: null }
  const obstacle = [before, after].find(image => image.state !== 'text' && image.state !== 'absent')
  if (obstacle !== undefined) return { ...facts, diff: null, note: `${obstacle.state}: no diff` }
  return { ...facts, ...diffTexts(nameIn(root, path), before.text, after.text) }
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

function diffTexts(name: string, before: string | null, after: string | null): Pick<FileChange, 'diff' | 'note'> {
  const names = { old: before === null ? '/dev/null' : `a/${name}`, new: after === null ? '/dev/null' : `b/${name}` }
  const patch = createTwoFilesPatch(names.old, names.new, before ?? '', after ?? '', undefined, undefined, {
    context: 3,
    timeout: DIFF_MS,
    maxEditLength: MAX_EDITS,
    headerOptions: FILE_HEADERS_ONLY,
  })
  if (patch === undefined) return { diff: null, note: 'too different to compare in time' }
  if (patch.length <= MAX_DIFF_CHARACTERS) return { diff: patch }
  return { diff: patch.slice(0, MAX_DIFF_CHARACTERS), note: `the diff is cut at ${MAX_DIFF_CHARACTERS} of ${patch.length} characters` }
}

function nameIn(root: string, path: string): string {
  const inside = relative(root, path)
  return inside === '..' || inside.startsWith(`..${sep}`) ? path : inside
}
