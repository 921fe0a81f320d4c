// Redirections as file effects, and what a command reads on standard input.
import type { Redirection, Word as SyntaxWord } from 'unbash'
import { expandBody, expandSingle, expandWord } from './expand-word.ts'
import { noteLoaded } from './loaded-subscript.ts'
import { noteText } from './made-file.ts'
import { printedText } from './printed-text.ts'
import { looksLikePatch } from './reader/patch.ts'
import type { Span, Word } from './shell-analysis.ts'
import { type Place, report, type Stdin, touchFile, type Walk } from './walk.ts'
import { runWordParts } from './walk-parts.ts'
import { textWord } from './word.ts'

/** `unit`: index of the command that is redirected, -1 when it is no single command. */
export function redirectEffects(walk: Walk, redirect: Redirection, place: Place, unit: number): void {
  if (redirect.type === 'HereDoc') {
    if (redirect.body.parts) walk.runParts(walk, redirect.body.parts, place)
    return
  }
  if (!redirect.target) return
  const span: Span = place.span ?? { start: redirect.pos, end: redirect.end }
  // `>2>&1` has no target for bash: the digits belong to the next redirection.
  if (/^\d+$/.test(redirect.target.text) && /[<>]/.test(place.text.charAt(redirect.target.end)))
    report(walk, 'parse-error', 'expected redirect target', span)
  if (redirect.type === 'Redirect' && !isDuplication(redirect.operator, redirect.target.value)) {
    const reads = redirect.operator === '<' || redirect.operator === '<>'
    // zsh opens every file that braces yield, bash the only one.
    for (const path of expandWord(walk, redirect.target, place.scope)) {
      if (reads) touchFile(walk, { access: 'read', path, cause: 'redirect', role: 'full', span, unit }, place)
      if (redirect.operator !== '<') touchFile(walk, { access: 'write', path, cause: 'redirect', role: 'full', span, unit }, place)
    }
  }
  runWordParts(walk, redirect.target, place)
}

/** What comes to stand in the files that the output goes to; null: only the run knows. */
export function noteWritten(walk: Walk, redirects: readonly Redirection[], place: Place, text: Word | null): void {
  for (const redirect of redirects) {
    if (redirect.type !== 'Redirect' || !redirect.target || !redirect.operator.includes('>')) continue
    if (isDuplication(redirect.operator, redirect.target.value)) continue
    const { descriptor, operator } = redirect
    const isOutput = operator !== '<>' && (!descriptor || (descriptor.type === 'FileDescriptor' && descriptor.value === 1))
    // What goes to another descriptor (`exec 3>a; echo x >&3`), nobody follows.
    for (const path of expandWord(walk, redirect.target, place.scope)) noteText(walk, place, path, isOutput ? text : null)
  }
}

/** `2>&1`, `<&3`, `>&-`, `3>&1-`. `>&word` and `&>word` write a file. */
function isDuplication(operator: string, target: string): boolean {
  return (operator === '<&' || operator === '>&') && /^(?:\d+-?|-)$/.test(target)
}

/** The last redirection of descriptor 0, or null when there is none. */
export function readStdin(walk: Walk, redirects: readonly Redirection[], place: Place): Stdin | null {
  let stdin: Stdin | null = null
  for (const redirect of redirects) {
    const descriptor = redirect.descriptor
    if (descriptor && !(descriptor.type === 'FileDescriptor' && descriptor.value === 0)) continue
    if (redirect.type === 'HereDoc') {
      const { parts, text } = redirect.body
      stdin = givenText(walk, parts && !redirect.delimiter?.quoted ? expandBody(walk, parts, place.scope, text) : textWord(text))
    } else if (redirect.type === 'HereString') {
      stdin = redirect.target ? givenText(walk, expandSingle(walk, redirect.target, place.scope)) : { kind: 'file' }
    } else if (redirect.operator.startsWith('<')) stdin = fileInput(walk, redirect.target, place)
  }
  return stdin
}

function givenText(walk: Walk, text: Word): Stdin {
  noteLoaded(walk, text)
  if (looksLikePatch(text)) walk.patchTexts.push(text)
  return { kind: 'text', text }
}

/** `< file`; of `< <(echo x)` what comes is known. */
function fileInput(walk: Walk, target: SyntaxWord | undefined, place: Place): Stdin {
  if (target?.value === '/dev/null') return { kind: 'text', text: textWord('') }
  const [part] = target?.parts ?? []
  const script = part?.type === 'ProcessSubstitution' && target?.parts?.length === 1 ? part.script : undefined
  const command = script?.commands.length === 1 ? script.commands[0]?.command : undefined
  const text = command === undefined || command.type === 'AndOr' || command.type === 'Pipeline' ? null : printedText(walk, command, place)
  if (text !== null) return givenText(walk, text)
  return target === undefined || script !== undefined ? { kind: 'file' } : { kind: 'file', path: expandSingle(walk, target, place.scope) }
}
