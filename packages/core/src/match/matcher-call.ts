// Matchers of genesis.key and of strings in code: `*`, `A|B`, `Tool`, `Tool(spec)`, with `*` and `?` inside names.
// `Tool(spec)` is a permission pattern: it fires when any part of the call may match, which only the permission engine can tell.
import type { CallPattern, MatcherProblem, MatcherRule, MatchInput, NameRule } from './matcher-rule.ts'
import { compileRegex, quoteRegex } from './regex.ts'

type CompileCall<Input extends MatchInput> = (pattern: string) => CallPattern<Input>

export function compileCallMatcher<Input extends MatchInput>(text: string, compileCall?: CompileCall<Input>): MatcherRule<Input> {
  if (text.trim() === '*') return { kind: 'all' }
  const rules = splitAlternatives(text).map(part => compileAlternative(part, compileCall))
  const invalid = rules.find(rule => rule.kind === 'invalid')
  return invalid ?? joinRules(rules)
}

interface Alternative {
  readonly text: string
  readonly offset: number
}

/** Splits at every `|` outside an argument. A `)` ends an argument only where the text or the alternative ends, so `Bash(echo ")")` is one. */
export function splitAlternatives(text: string): Alternative[] {
  const parts: Alternative[] = []
  let start = 0
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '(') depth += 1
    else if (char === ')' && (depth > 1 || (depth === 1 && isEndAt(text, at + 1)))) depth -= 1
    else if (char === '|' && depth === 0) {
      parts.push({ text: text.slice(start, at), offset: start })
      start = at + 1
    }
  }
  parts.push({ text: text.slice(start), offset: start })
  return parts.map(trimAlternative)
}

function isEndAt(text: string, from: number): boolean {
  let at = from
  while (text[at] === ' ') at += 1
  return at === text.length || text[at] === '|'
}

function trimAlternative({ text, offset }: Alternative): Alternative {
  return { text: text.trim(), offset: offset + text.length - text.trimStart().length }
}

/** Would be names that no tool has: a hook for them would never run. */
const REGEX = /\.[*+?{]|^\/.*\/[a-z]*$|^\^|[^\\]\$$|\\[wdsbWDSB.]|\[[^\]]*\]/

/** Whether a text was meant as a regular expression. */
export function isRegexText(text: string): boolean {
  return REGEX.test(text)
}

const NAME = /^[\p{L}\p{N}_.:/@*?-]+$/u

function compileAlternative<Input extends MatchInput>(
  { text, offset }: Alternative,
  compileCall: CompileCall<Input> | undefined,
): MatcherRule<Input> {
  if (text === '') return invalid('an empty alternative', offset, 'name a tool, or write * for every tool')
  if (text === '*') return { kind: 'all' }
  const open = text.indexOf('(')
  const name = open === -1 ? text : text.slice(0, open)
  if (name === '' || isRegexText(name))
    return invalid(
      `"${name === '' ? text : name}" is a regular expression`,
      offset,
      'write * for any characters (mcp__github__*); in code a RegExp may be given',
    )
  if (!NAME.test(name)) return invalid(`"${name}" is not a tool name`, offset, 'write Tool, Tool(argument), or A|B')
  if (open === -1) return /[*?]/.test(text) ? globRule(text) : { kind: 'exact', names: [text] }
  if (!text.endsWith(')')) return invalid(`"${text}" has no closing parenthesis`, offset + text.length, 'write Tool(argument)')
  return callRule(text, offset, compileCall)
}

function globRule(glob: string): NameRule {
  const pattern = glob.replace(/[*?]|[^*?]+/g, piece => (piece === '*' ? '[\\s\\S]*' : piece === '?' ? '[\\s\\S]' : quoteRegex(piece)))
  const compiled = compileRegex(`^${pattern}$`, 're2')
  return compiled.ok ? { kind: 'glob', test: compiled.test } : { kind: 'invalid', problem: compiled.problem }
}

function callRule<Input extends MatchInput>(text: string, offset: number, compileCall: CompileCall<Input> | undefined): MatcherRule<Input> {
  if (compileCall === undefined) {
    return { kind: 'invalid', problem: { reason: 'unsupported', message: `"${text}" needs the permission engine to be judged`, offset } }
  }
  const pattern = compileCall(text)
  if (pattern.ok) return { kind: 'call', test: pattern.test }
  return invalid(pattern.message, offset + (pattern.offset ?? 0))
}

/** Names alone stay a list; anything else becomes a test of the whole input. */
function joinRules<Input extends MatchInput>(rules: readonly MatcherRule<Input>[]): MatcherRule<Input> {
  const [only] = rules
  if (only !== undefined && rules.length === 1) return only
  if (rules.some(rule => rule.kind === 'all')) return { kind: 'all' }
  const names = rules.flatMap(rule => (rule.kind === 'exact' ? rule.names : []))
  if (names.length === rules.length) return { kind: 'exact', names }
  const tests = rules.map(subjectTest)
  return { kind: 'call', test: input => tests.some(test => test(input)) }
}

function subjectTest<Input extends MatchInput>(rule: MatcherRule<Input>): (input: Input) => boolean {
  switch (rule.kind) {
    case 'call':
      return rule.test
    case 'exact':
      return input => namesOf(input).some(name => rule.names.includes(name))
    case 'glob':
    case 'regex':
      return input => namesOf(input).some(rule.test)
    default:
      return () => rule.kind === 'all'
  }
}

function namesOf({ value, aliases = [] }: MatchInput): readonly string[] {
  return value === null ? aliases : [value, ...aliases]
}

function invalid(message: string, offset: number, remedy?: string): NameRule {
  const problem: MatcherProblem = { reason: 'syntax', message, offset, ...(remedy === undefined ? {} : { remedy }) }
  return { kind: 'invalid', problem }
}
