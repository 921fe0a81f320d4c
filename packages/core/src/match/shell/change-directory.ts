// `cd`, `pushd`, `popd`: where relative paths start from afterwards. Known only where the target is.
import { posix } from 'node:path'
import { type Call, markNeutral } from './call.ts'
import { wordChoices } from './word.ts'

/** A longer one comes from thousands of `cd` in a row and is not worth following. */
const MAX_PATH = 1024

export function changeDirectory(call: Call): void {
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
  const targets = target ? wordChoices(target) : [{ value: walk.context.home, glob: false }]
  const found: string[] = []
  for (const choice of targets) {
    if (choice.value === null) scope.bases = null
    else for (const base of choice.value.startsWith('/') ? ['/'] : (before ?? [])) found.push(enter(base, choice.value))
  }
  const known = targets.every(choice => choice.value !== null && (before !== null || choice.value.startsWith('/')))
  const isListed = known && found.length <= 4 && found.every(path => path.length <= MAX_PATH) && !targets.some(choice => choice.glob)
  scope.bases = isListed ? [...new Set(found)] : null
  if (name === 'cd' && known && found.every(path => isInside(path, walk.context.root))) markNeutral(call)
}

/** A plain name is put behind; anything else is worked out. */
function enter(base: string, target: string): string {
  return /^[\w-][\w.-]*$/.test(target) && !base.endsWith('/') ? `${base}/${target}` : posix.resolve('/', base, target)
}

function isInside(path: string, root: string): boolean {
  return root === '/' || path === root || (path.startsWith(root) && path.charCodeAt(root.length) === 47)
}
