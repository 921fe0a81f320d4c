// What one command is: a function, a builtin, a shell, a wrapper or an ordinary program, each read by what is known about it.

import { applyProgram } from './apply-program.ts'
import { runBuiltin } from './builtin.ts'
import { type Call, runInner, startUnit, touchArgument, vouchFor } from './call.ts'
import { touchDefaultFiles } from './default-file.ts'
import { environmentTraits } from './environment.ts'
import { guessCode, guessLaunch } from './guess-launch.ts'
import { guessFiles } from './likely-file.ts'
import { MAX_NESTING, MAX_WRAPPERS } from './limits.ts'
import { runManifest } from './manifest.ts'
import { guessMentions } from './mentioned-file.ts'
import { opaqueCode } from './nested-code.ts'
import { runOwnProgram } from './own-program.ts'
import { checkProjectOptions } from './project-option.ts'
import { checkRunOptions } from './run-option.ts'
import { runVariable } from './run-variable.ts'
import type { Word } from './shell-analysis.ts'
import { isOtherShell, isShell, runShell } from './shell-program.ts'
import { findProgram } from './table/find-program.ts'
import { type Invocation, isSpent, type Place, report, type Walk } from './walk.ts'
import { feedFunctions, isMove } from './walk-function.ts'
import { baseName, leadingText, textWord } from './word.ts'

export function runInvocation(walk: Walk, invocation: Invocation, place: Place): void {
  const [head] = invocation.words
  if (!head || isSpent(walk)) return
  if (place.depth > MAX_NESTING || place.behind.length > MAX_WRAPPERS) {
    report(walk, 'refused', 'is nested more than 200 deep', invocation.span)
    return
  }
  const name = head.value === null ? '' : baseName(head.value)
  const call = startUnit(walk, invocation, place, name)
  if (invocation.assignments.length > 0) {
    call.unit.traits.push(...environmentTraits(invocation.assignments, walk.context))
    // Shells run the file that these name.
    for (const { name, value } of invocation.assignments)
      if (name === 'BASH_ENV' || name === 'ENV') touchArgument(call, 'read', value, 'deny-only')
    for (const assignment of invocation.assignments) runVariable(walk, assignment, invocation.span, place)
  }
  const unclear = unclearCommand(head)
  if (unclear !== null) {
    walk.unsafeVariables = true
    call.unit.traits.push({ kind: 'unclear-command', why: unclear })
    return
  }
  if (head.value === name) {
    feedFunctions(walk, name, place, call.unit.span)
    const isFunction = invocation.direct && callFunction(call)
    if (isMove(walk, name)) place.scope.bases = null
    if (isFunction) return
    if (runBuiltin(call)) return
  }
  if (isShell(name)) {
    runShell(call)
    return
  }
  if (place.stdin.kind !== 'inherited' && READS_COMMANDS.has(name)) call.unit.traits.push({ kind: 'interpreter-code', option: '-' })
  checkOtherShell(call)
  checkProjectOptions(call)
  checkRunOptions(call)
  if (place.stdin.kind !== 'inherited') runManifest(call)
  touchDefaultFiles(call)
  const program = findProgram(name)
  const given = invocation.words.slice(1)
  if (program === undefined && runOwnProgram(call, head.value ?? '', given)) return
  if (!program && name !== name.toLowerCase()) guessCase(call, name.toLowerCase())
  if (program) applyProgram(call, program, 1)
  else {
    guessFiles(call, given)
    guessLaunch(call, 1)
    guessCode(call, given)
  }
  guessMentions(call, given, program)
}

const OTHER_CODE = /^[-/](?:c(?!onfig)|k$|e(?!x))/i

/** Shells of another system: code that is only known at run time, or that is encoded, may be anything. */
function checkOtherShell({ walk, name, words, unit, place }: Call): void {
  if (!isOtherShell(name)) return
  const at = words.findIndex(word => OTHER_CODE.test(leadingText(word)))
  const isEncoded = /^[-/]e/i.test(leadingText(words[at] ?? textWord('')))
  if (at > 0 && (isEncoded || words.slice(at).some(word => word.value === null)))
    opaqueCode(walk, name, 'a language that is not read here', { span: unit.span, place })
}

/** On some disks `SH` is `sh`. */
function guessCase(call: Call, name: string): void {
  const first = call.walk.units.length
  const program = findProgram(name)
  if (!isShell(name) && program?.operands !== 'script' && !program?.wrapper) return
  runInner(call, {
    words: [textWord(name), ...call.words.slice(1)],
    behind: call.name,
    role: 'deny-only',
    place: { ...call.place, isGuess: true },
  })
  vouchFor(call, first)
}

/** Editors, debuggers and clients whose commands, read from standard input, can start programs. */
const READS_COMMANDS: ReadonlySet<string> = new Set(
  (
    'ed ex vi vim nvim view vimdiff gdb lldb ftp sftp lftp telnet gnuplot octave R maxima dc m4 tclsh wish expect jshell ghci iex erl ' +
    'irb pry scala julia guile racket sbcl clisp sage ipython bpython xonsh pwsh powershell osascript mutt mail mailx'
  ).split(' '),
)

/** Why nobody can tell what program this starts. */
function unclearCommand(head: Word): string | null {
  if (head.value === null) return 'the command is only known at run time'
  if (head.glob) return 'the command is a file name pattern'
  if (head.value === '') return 'the command is empty'
  if (head.value.startsWith('-')) return 'the command begins with a dash'
  if (/[^\x21-\x7e]/.test(head.value) && !isPlainPath(head.value)) return 'the command holds blanks, control or non-ASCII characters'
  return null
}

/** Blanks may stand in its folders, as in `Program Files/x`. */
function isPlainPath(path: string): boolean {
  const end = path.slice(path.lastIndexOf(' ') + 1)
  return end.slice(0, -1).includes('/') && /^[\x20-\x7e]*$/.test(path)
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
