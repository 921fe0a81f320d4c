// User regexes, in linear time. Two spellings come in: JavaScript's (Claude, Gemini, Copilot documents) and RE2's (hooks.toml, Codex, whose
// engines are RE2's relatives). Invariant: nothing a user wrote is ever run by a backtracking engine, and nothing here throws.

import { RE2JS, RE2JSException } from 're2js'
import { errorText } from '../value/error-text.ts'

export type RegexSyntax = 'javascript' | 're2'

export interface RegexProblem {
  /** syntax: its own agent would refuse it too. unsupported: fine in JavaScript, but not expressible in linear time. */
  readonly reason: 'syntax' | 'unsupported'
  readonly message: string
  /** Where in the pattern, counted from 0. */
  readonly offset: number
}

export type CompiledRegex =
  | { readonly ok: true; readonly test: (text: string) => boolean }
  | { readonly ok: false; readonly problem: RegexProblem }

/** Unanchored unless the pattern anchors itself. */
export function compileRegex(pattern: string, syntax: RegexSyntax): CompiledRegex {
  if (pattern.length > LONGEST)
    return problem('unsupported', `a pattern of ${pattern.length} characters is over the limit of ${LONGEST}`, 0)
  const refusal = syntax === 'javascript' ? javascriptRefusal(pattern) : null
  if (refusal !== null) return problem('syntax', refusal, 0)
  try {
    const compiled = RE2JS.compile(syntax === 'javascript' ? toRe2(pattern) : pattern)
    return { ok: true, test: text => compiled.test(text) }
  } catch (error) {
    return describeFailure(pattern, syntax, error)
  }
}

export function quoteRegex(text: string): string {
  return RE2JS.quote(text)
}

const LONGEST = 10_000

/** What JavaScript itself says against the pattern. Parsing is linear; the RegExp is never run. */
function javascriptRefusal(pattern: string): string | null {
  try {
    new RegExp(pattern)
    return null
  } catch (error) {
    const text = errorText(error)
    return text.slice(text.lastIndexOf('/: ') + (text.includes('/: ') ? 3 : 0))
  }
}

/** Letters that RE2 gives a meaning and JavaScript reads as themselves; `[[:` opens a POSIX class only in RE2. */
const LITERAL_IN_JAVASCRIPT = /^[AaCEeGgHhIiJjLlMmNOoPpQqRTUVXYyZz]$/

function toRe2(pattern: string): string {
  const literal = pattern.replace(/\\([\s\S])/g, (whole, letter: string) => (LITERAL_IN_JAVASCRIPT.test(letter) ? letter : whole))
  return RE2JS.translateRegExp(literal.replaceAll('[[:', '[\\[:'))
}

function describeFailure(pattern: string, syntax: RegexSyntax, error: unknown): CompiledRegex {
  const text = error instanceof RE2JSException ? error.message : errorText(error)
  const fragment = /`([\s\S]*)`$/.exec(text)?.[1] ?? ''
  const offset = fragment === '' ? 0 : Math.max(0, pattern.indexOf(fragment))
  if (syntax === 're2') return problem('syntax', text.replace(/^error parsing regexp: /, ''), offset)
  return problem('unsupported', `${nameFeature(fragment)} cannot be matched in linear time`, offset)
}

function nameFeature(fragment: string): string {
  if (/^\(\?<?[=!]/.test(fragment)) return `a look-around (${fragment})`
  if (/^\\[1-9k]/.test(fragment)) return `a back-reference (${fragment})`
  if (fragment.startsWith('{')) return `a repeat count of more than 1000 (${fragment})`
  return fragment === '' ? 'this pattern' : `\`${fragment}\``
}

function problem(reason: RegexProblem['reason'], message: string, offset: number): CompiledRegex {
  return { ok: false, problem: { reason, message, offset } }
}
