// Redirections as file effects, and what a command reads on standard input.
import type { Redirection } from 'unbash'
import { expandBody, expandSingle } from './expand-word.ts'
import type { Span } from './shell-analysis.ts'
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
    const path = expandSingle(walk, redirect.target, place.scope)
    const reads = redirect.operator === '<' || redirect.operator === '<>'
    if (reads) touchFile(walk, { access: 'read', path, cause: 'redirect', role: 'full', span, unit }, place)
    if (redirect.operator !== '<') touchFile(walk, { access: 'write', path, cause: 'redirect', role: 'full', span, unit }, place)
  }
  runWordParts(walk, redirect.target, place)
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
      stdin = { kind: 'text', text: parts && !redirect.delimiter?.quoted ? expandBody(walk, parts, place.scope, text) : textWord(text) }
    } else if (redirect.type === 'HereString') {
      stdin = redirect.target ? { kind: 'text', text: expandSingle(walk, redirect.target, place.scope) } : { kind: 'file' }
    } else if (redirect.operator.startsWith('<')) {
      stdin = redirect.target?.value === '/dev/null' ? { kind: 'text', text: textWord('') } : { kind: 'file' }
    }
  }
  return stdin
}
