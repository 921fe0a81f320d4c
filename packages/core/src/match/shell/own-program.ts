// Belay's own program under another name: a package with a version, a file of the package, a copy in another directory.
// What it is given is read as if `belay` had been written.
import { isOwnFile, isOwnName } from '../path/own-name.ts'
import { type Call, isBlocked, runInner } from './call.ts'
import type { Word } from './shell-analysis.ts'
import { textWord } from './word.ts'

const OWN = 'belay'

/** True when `program` is Belay; then `given` was judged as its arguments. */
export function runOwnProgram(call: Call, program: string, given: readonly Word[]): boolean {
  const { walk, place, words } = call
  if (!isOwnName(program) && !isOwnFile(program, place.scope.bases, walk.context.ownFiles ?? [])) return false
  const inner = { words: [textWord(OWN, words[0]?.source ?? OWN), ...given], behind: call.name }
  if (program === words[0]?.value && isOwnProgram(program, walk.context.ownFiles ?? []) && !isBlocked(call.unit)) {
    call.unit.role = 'deny-only'
    runInner(call, { ...inner, assignments: call.invocation.assignments })
  } else runInner(call, { ...inner, role: 'deny-only' })
  return true
}

/** This very Belay by its whole path, which agents are told to call where its name is not found: what allows `belay` allows it. */
function isOwnProgram(program: string, ownFiles: readonly string[]): boolean {
  return program.startsWith('/') && isOwnName(program) && isOwnFile(program, null, ownFiles)
}
