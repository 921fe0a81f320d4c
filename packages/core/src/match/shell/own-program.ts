// Belay's own program under another name: a package with a version, a file of the package, a copy in another directory.
// What it is given is read as if `belay` had been written.
import { isOwnFile, isOwnName } from '../path/own-name.ts'
import { type Call, runInner } from './call.ts'
import type { Word } from './shell-analysis.ts'
import { textWord } from './word.ts'

const OWN = 'belay'

/** True when `program` is Belay; then `given` was judged as its arguments. */
export function runOwnProgram(call: Call, program: string, given: readonly Word[]): boolean {
  const { walk, place, words } = call
  if (!isOwnName(program) && !isOwnFile(program, place.scope.bases, walk.context.ownFiles ?? [])) return false
  runInner(call, { words: [textWord(OWN, words[0]?.source ?? OWN), ...given], behind: call.name, role: 'deny-only' })
  return true
}
