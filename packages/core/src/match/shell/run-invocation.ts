// What one command is: a function, a builtin, a shell, a wrapper or an ordinary program, each read by what is known about it.

import { applyProgram } from './apply-program.ts'
import { runBuiltin } from './builtin.ts'
import { type Call, startUnit } from './call.ts'
import { environmentTraits } from './environment.ts'
import { guessFiles } from './likely-file.ts'
import { MAX_NESTING, MAX_WRAPPERS } from './limits.ts'
import type { Word } from './shell-analysis.ts'
import { isShell, runShell } from './shell-program.ts'
import { findProgram } from './table/find-program.ts'
import { type Invocation, isSpent, type Place, report, type Walk } from './walk.ts'
import { baseName } from './word.ts'

export function runInvocation(walk: Walk, invocation: Invocation, place: Place): void {
  const [head] = invocation.words
  if (!head || isSpent(walk)) return
  if (place.depth > MAX_NESTING || place.behind.length > MAX_WRAPPERS) {
    report(walk, 'refused', 'is nested more than 200 deep', invocation.span)
    return
  }
  const name = head.value === null ? '' : baseName(head.value)
  const call = startUnit(walk, invocation, place, name)
  if (invocation.assignments.length > 0) call.unit.traits.push(...environmentTraits(invocation.assignments, walk.context))
  const unclear = unclearCommand(head)
  if (unclear !== null) {
    walk.unsafeVariables = true
    call.unit.traits.push({ kind: 'unclear-command', why: unclear })
    return
  }
  if (head.value === name) {
    if (invocation.direct && callFunction(call)) return
    if (runBuiltin(call)) return
  }
  if (isShell(name)) {
    runShell(call)
    return
  }
  const program = findProgram(name)
  if (program) applyProgram(call, program, 1)
  else guessFiles(call, invocation.words.slice(1))
}

/** Why nobody can tell what program this starts. */
function unclearCommand(head: Word): string | null {
  if (head.value === null) return 'the command is only known at run time'
  if (head.glob) return 'the command is a file name pattern'
  if (head.value === '') return 'the command is empty'
  if (head.value.startsWith('-')) return 'the command begins with a dash'
  if (/[^\x21-\x7e]/.test(head.value) && !/^[\x20-\x7e]*\/[\x21-\x7e]+$/.test(head.value))
    return 'the command holds blanks, control or non-ASCII characters'
  return null
}

/** A function of this command line was checked where it was defined. */
function callFunction({ walk, place, name, unit }: Call): boolean {
  const known = place.scope.functions.get(name)
  if (!known) return false
  if (unit.traits.length === 0) unit.traits.push({ kind: 'neutral' })
  if (known.bases !== place.scope.bases) report(walk, 'unclear', `${name} runs in another directory than it was written for`, unit.span)
  if (known.moves) place.scope.bases = null
  return true
}
