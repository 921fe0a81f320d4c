// Text that runs a command once arithmetic reads it: `a[$(x)]` in a variable that `$((v))`, `[[ v -eq 0 ]]`, `${s:v}` or `${!v}` looks at.
import { runCode } from './nested-code.ts'
import type { Span, Word } from './shell-analysis.ts'
import { type Place, report, type Walk } from './walk.ts'
import { textWord } from './word.ts'

export function holdsLoadedSubscript(text: string): boolean {
  return text.split(']').some(part => {
    const open = part.indexOf('[')
    return open >= 0 && /\$[({]|`/.test(part.slice(open))
  })
}

/** Nobody writes more of them. */
const MAX_TEXTS = 16

/** A word may come to stand in a variable: as a value, an argument of a function, an element of a list, a line that is read. */
export function noteLoaded(walk: Walk, word: Word): void {
  if (!/[[$`]/.test(word.source) || walk.loadedTexts.size >= MAX_TEXTS) return
  // The value, not how it is written: `$'a\x5b'` ends in a bracket, and so may whatever becomes of an unknown part.
  const text = word.value ?? word.parts.map(part => (part.kind === 'unknown' ? '[' : part.value)).join('')
  if (holdsLoadedSubscript(text) || /^\s*(?:\$\(|`)/.test(text)) walk.loadedTexts.add(text)
}

/** Variables of bash whose value is reckoned when it is set, in whatever way: `RANDOM=x`, `read OPTIND`. */
const RECKONED = /(?<![$\w{])(?:RANDOM|OPTIND|HISTCMD)\b/

/** Which variable holds which text is not followed: where both are there, the one may read the other. */
export function runLoaded(walk: Walk, place: Place): void {
  if (walk.loadedTexts.size === 0 || !(walk.arithmeticVariable || RECKONED.test(place.text))) return
  const span = { start: 0, end: place.text.length }
  // A text without a subscript is run where it comes to stand in one: `m[$k]`.
  const hasSubscript = /\w\[[^\]]*\$/.test(place.text)
  for (const text of walk.loadedTexts) {
    if (walk.ranTexts.has(text)) continue
    walk.ranTexts.add(text)
    if (holdsLoadedSubscript(text)) runSubscript(walk, text, 'arithmetic', { span, place })
    else if (hasSubscript) runSubscript(walk, `a[${text}]`, 'arithmetic', { span, place })
  }
}

/** What runs when `by` reads the text as arithmetic. */
export function runSubscript(walk: Walk, text: string, by: string, { span, place }: { readonly span: Span; readonly place: Place }): void {
  report(walk, 'unclear', `${by} runs the substitution in a subscript`, place.span ?? span)
  runCode(walk, { code: textWord(`(( ${text} ))`), span, by }, { ...place, role: 'deny-only', certain: false })
}
