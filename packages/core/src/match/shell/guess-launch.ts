// A program that nobody described may run what it is given: where a shell or an interpreter with code stands among its
// arguments (`landrun --ro / sh -c '...'`), that is followed as if it ran, and a rule against it asks.
import { type Call, runInner, vouchFor } from './call.ts'
import { runCode } from './nested-code.ts'
import type { Word } from './shell-analysis.ts'
import { isOtherShell, isShell } from './shell-program.ts'
import { ANY_SIGN, BLANK, wordSigns } from './signs.ts'
import { findProgram, isDangerVerb } from './table/find-program.ts'
import type { Place } from './walk.ts'
import { baseName, leadingText } from './word.ts'

/** To these a command is only text. */
const TEXT_PROGRAMS: ReadonlySet<string> = new Set(
  'echo printf grep egrep fgrep rg ag ack git gh hub glab man info which whereis type logger say tldr whatis apropos test jq ls'.split(' '),
)
/** A launcher's own options come first and are few. */
const MAX_WORDS = 24

/** `from`: the first word that may start a command. */
export function guessLaunch(call: Call, from: number): void {
  if (TEXT_PROGRAMS.has(call.name)) return
  const end = Math.min(call.words.length, from + MAX_WORDS)
  for (let at = from; at < end; at++) {
    if (!startsCode(call, at)) continue
    const first = call.walk.units.length
    const place = { ...call.place, isGuess: true }
    runInner(call, { words: call.words.slice(at), behind: call.name, role: 'deny-only', place })
    vouchFor(call, first)
    return
  }
}

/** `sh -c x`, `python -`, `sh` at the end of a pipe. */
function startsCode(call: Call, at: number): boolean {
  const following = call.words[at + 1]
  const next = following === undefined ? '' : leadingText(following)
  const takesCode = next.startsWith('-') || next.startsWith('/')
  // Most words are decided by the one behind them.
  const isLast = at + 1 === call.words.length
  if (isLast ? call.place.stdin.kind === 'inherited' : !takesCode && !isDangerVerb(next)) return false
  const name = baseName(call.words[at]?.value ?? '')
  if (name === '' || /[^\w.+-]/.test(name)) return false
  if (isShell(name)) return takesCode || isLast
  if (isOtherShell(name)) return takesCode
  const program = findProgram(name)
  return (takesCode && program?.operands === 'script') || program?.verbs?.[next]?.danger !== undefined
}

/** A line of code that an unknown program is given (`foo -c 'cat x'`) is read as if a shell ran it; what is wrong with it is no problem. */
export function guessCode(call: Call, words: readonly Word[]): void {
  if (TEXT_PROGRAMS.has(call.name)) return
  const { walk } = call
  const signs = wordSigns(words)
  for (let at = 0; at < Math.min(words.length, MAX_CODES); at++) {
    const word = words[at] as Word
    const text = word.value ?? ''
    const start = leadingText(word)
    const option = start.startsWith('-') ? CODE_OPTION.exec(start)?.[1] : undefined
    if (option !== undefined) call.unit.traits.push({ kind: 'interpreter-code', option })
    if (((signs[at] ?? ANY_SIGN) & BLANK) === 0) continue
    if (text.length > MAX_CODE_LENGTH || !/^[\w./~"'\\$!@{-]\S*\s+\S/.test(text)) continue
    const { length } = walk.problems
    const { unsafeVariables } = walk
    const place: Place = { ...call.place, role: 'deny-only', isGuess: true, certain: false, behind: [...call.place.behind, call.name] }
    runCode(walk, { code: word, span: call.unit.span, by: call.name }, place)
    walk.problems.splice(length, walk.problems.length - length, ...walk.problems.slice(length).filter(({ kind }) => kind === 'refused'))
    walk.unsafeVariables = unsafeVariables
  }
}

/** What nobody calls anything but code. */
const CODE_OPTION = /^(--?(?:eval|evaluate|eval-code|run-code|exec-code|expression|py-expr|python-expr|luacode|php-eval))(?:=|$)/

const MAX_CODES = 8
const MAX_CODE_LENGTH = 1024
