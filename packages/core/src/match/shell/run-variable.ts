// Variables whose value is acted on later: code that the shell or a program runs, where `cd` looks for folders, what splits words.
import { runCode } from './nested-code.ts'
import type { EnvAssignment, Span, Word } from './shell-analysis.ts'
import type { Place, Walk } from './walk.ts'
import { joinWords, textWord } from './word.ts'

/** Run as a command line by the shell, or by a program that looks for them. */
const RUN =
  /^(?:PROMPT_COMMAND|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESSOPEN|LESSCLOSE|FCEDIT|GIT_EXTERNAL_DIFF|GIT_SSH|.*_COMMAND|.*_EDITOR|.*_PAGER|.*_ASKPASS)$/
/** Printed before commands; the substitutions in them run. */
const PROMPT = /^PS[0-4]$/
/** A function that bash finds in its environment. */
const FUNCTION = /^BASH_FUNC_.*%%$/

/** What comes of a variable that is set for this shell, or for one command. What it runs, it runs at some time or never. */
export function runVariable(walk: Walk, { name, value }: EnvAssignment, span: Span, place: Place): void {
  if (name === 'CDPATH') walk.hasSearchPath = true
  if (name === 'HOME') walk.hasOtherHome = true
  if (name.startsWith('GIT_CONFIG_')) noteGitVariable(walk, name, value)
  const code = RUN.test(name)
    ? value
    : PROMPT.test(name)
      ? joinWords([textWord(': <<BELAY_END\n'), value, textWord('\nBELAY_END')])
      : FUNCTION.test(name)
        ? joinWords([textWord('belay_function'), value])
        : null
  if (code === null || code.value === null || code.value.trim() === '') return
  const inner: Place = { ...place, role: 'deny-only', isGuess: true, certain: false, behind: [...place.behind, name] }
  runCode(walk, { code, span, by: name }, inner)
}

/** More values of one of them than this are not followed. */
const MAX_VALUES = 8

/** git takes settings from them, whoever sets them on this line. */
function noteGitVariable(walk: Walk, name: string, value: Word): void {
  walk.gitVariables ??= new Map()
  const known = walk.gitVariables.get(name) ?? []
  if (known.length < MAX_VALUES && walk.gitVariables.size < 4 * MAX_VALUES) walk.gitVariables.set(name, [...known, value])
}

/** `export PS4=x`, `declare -x PROMPT_COMMAND=x`. */
export function namedAssignment(text: string): { readonly name: string; readonly length: number } | null {
  const found = /^([A-Za-z_]\w*(?:%%)?)\+?=/.exec(text)
  return found === null ? null : { name: found[1] ?? '', length: found[0].length }
}
