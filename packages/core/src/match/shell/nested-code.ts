// Text that becomes shell code is parsed again. Where part of it is only known at run time the whole is opaque,
// and what can be read is still walked so that deny rules see it.
import { findRefusal, MAX_SCRIPT_LEVEL } from './limits.ts'
import { parseScript } from './parse-script.ts'
import type { Span, Word } from './shell-analysis.ts'
import { copyScope, type Place, report, spendCharacters, type Walk } from './walk.ts'

export interface NestedCode {
  readonly code: Word
  readonly span: Span
  /** What runs it (`bash -c`, `eval`). */
  readonly by: string
  /** The code runs in this very shell: its `cd` and variables stay. */
  readonly sameShell?: boolean
  /** `$0`, `$1` and so on. */
  readonly parameters?: readonly Word[]
}

/** Code in a word is parsed whole, which costs more than looking through a word. */
const NESTED_COST = 4

/** Stands for an unknown part when code with unknown parts is parsed; expands to an unknown part again. */
const UNKNOWN = '${__unknown__}'

export function runCode(walk: Walk, { code, span, by, sameShell, parameters = [] }: NestedCode, place: Place): void {
  const level = place.level + 1
  const text = code.value ?? code.parts.map(part => (part.kind === 'unknown' ? UNKNOWN : part.value)).join('')
  if (code.value === null) report(walk, 'opaque', `${by} runs code that is only known at run time`, place.span ?? span)
  if (level > MAX_SCRIPT_LEVEL) {
    report(walk, 'refused', `is nested more than ${MAX_SCRIPT_LEVEL} scripts deep`, place.span ?? span)
    return
  }
  if (text.trim() === '' || !spendCharacters(walk, text.length * NESTED_COST, place.span ?? span)) return
  const refusal = findRefusal(text)
  if (refusal !== null) {
    report(walk, 'refused', refusal, place.span ?? span)
    return
  }
  const inner: Place = {
    ...place,
    scope: sameShell ? place.scope : { ...copyScope(place.scope), variables: parameterValues(parameters), functions: new Map() },
    role: code.value === null ? 'deny-only' : place.role,
    certain: sameShell === true && place.certain,
    text,
    span: place.span ?? span,
    input: sameShell && place.stdin === place.input.stdin ? place.input : { stdin: place.stdin, shared: true },
    depth: place.depth + 1,
    level,
  }
  const script = parseScript(walk, text, inner)
  if (script) walk.runScript(walk, script, inner)
}

/** Those whose text is known. */
function parameterValues(parameters: readonly Word[]): Map<string, readonly Word[]> {
  const known = parameters.slice(0, MAX_PARAMETERS).map((word, index): [string, readonly Word[]] => [String(index), [word]])
  return new Map(known.filter(([, [word]]) => word !== undefined && word.value !== null && !word.glob))
}

/** `${10}` is another spelling. */
const MAX_PARAMETERS = 10

/** Code that comes from where the analysis cannot look. */
export function opaqueCode(walk: Walk, by: string, from: string, { span, place }: { readonly span: Span; readonly place: Place }): void {
  report(walk, 'opaque', `${by} runs code from ${from}`, place.span ?? span)
}
