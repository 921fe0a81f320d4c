// `cd`, `pushd`, `popd`: where relative paths start from afterwards. Known only where the target is.
import { posix } from 'node:path'
import { type Call, markNeutral } from './call.ts'
import type { Word } from './shell-analysis.ts'
import { noteEnd, type Scope } from './walk.ts'
import { leadingText, wordChoices } from './word.ts'

/** A longer one comes from a hundred `cd` in a row and is not worth following. */
const MAX_PATH = 256

export function changeDirectory(call: Call): void {
  move(call)
  noteEnd(call.walk, call.place)
}

function move(call: Call): void {
  const { name, place, walk } = call
  const operands = call.words
    .slice(1)
    .filter((word, index, all) => !/^-[LPe@n]+$/.test(word.value ?? '') && !(word.value === '--' && index < all.length))
  const [target] = operands
  const { scope } = place
  const before = scope.bases
  if (name === 'popd' || operands.length > 1 || (target && /^[-+]\d*$/.test(target.value ?? '')) || (name === 'pushd' && !target)) {
    scope.bases = null
    return
  }
  if (walk.hasSearchPath && target !== undefined && !/^\.{0,2}(?:\/|$)/.test(leadingText(target))) {
    scope.bases = null
    return
  }
  const targets = target ? wordChoices(target) : [{ value: walk.context.home, glob: false }]
  const found: string[] = []
  for (const choice of targets) {
    if (choice.value === null) scope.bases = null
    else for (const base of choice.value.startsWith('/') ? ['/'] : (before ?? [])) found.push(enter(base, choice.value))
  }
  const known = targets.every(choice => choice.value !== null && (before !== null || choice.value.startsWith('/')))
  const isListed = known && found.length <= 4 && found.every(path => path.length <= MAX_PATH) && !targets.some(choice => choice.glob)
  scope.bases = isListed ? [...new Set(found)] : null
  if (target !== undefined) noteFailure(scope, before ?? [], target)
  if (name === 'cd' && known && found.every(path => isInside(path, walk.context.root))) markNeutral(call)
}

/** It may fail, now or after one that failed. A folder above is there. */
function noteFailure(scope: Scope, before: readonly string[], target: Word): void {
  const { bases } = scope
  if (bases === null) return
  const isAbove = bases.every(base => before.every(from => isInside(from, base)))
  const later = target.value === null || target.value.startsWith('/') ? [] : scope.failedBases.map(base => enter(base, target.value ?? ''))
  const failed = new Set([...(isAbove ? [] : before), ...scope.failedBases, ...later])
  scope.failedBases = [...failed].filter(base => !bases.includes(base) && base.length <= MAX_PATH).slice(0, MAX_FAILED)
}

const MAX_FAILED = 8

/** A plain name is put behind; anything else is worked out. */
function enter(base: string, target: string): string {
  return /^[\w-][\w.-]*$/.test(target) && !base.endsWith('/') ? `${base}/${target}` : posix.resolve('/', base, target)
}

function isInside(path: string, root: string): boolean {
  return root === '/' || path === root || (path.startsWith(root) && path.charCodeAt(root.length) === 47)
}
