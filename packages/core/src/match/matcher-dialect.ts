// What a matcher text means in each dialect (docs/semantics.md, section 4; contracts of the agents). One small function per family of rules.
import type { MatcherText } from '../hook/hook-definition.ts'
import { compileCallMatcher } from './matcher-call.ts'
import type { MatcherPorts, MatcherRule, MatchInput, NameRule } from './matcher-rule.ts'
import { compileRegex, type RegexSyntax } from './regex.ts'

export function compileDialect<Input extends MatchInput>({ dialect, text }: MatcherText, ports: MatcherPorts<Input>): MatcherRule<Input> {
  switch (dialect) {
    case 'genesis':
    case 'library':
      return compileCallMatcher(text, ports.compileCall)
    case 'toml':
      return compileToml(text)
    case 'claude':
      return compileListOrRegex(text, NARROW_EVENTS.has(ports.event ?? '') ? NARROW_LIST : WIDE_LIST, 'javascript')
    case 'codex':
      return compileListOrRegex(text, NARROW_LIST, 're2')
    case 'gemini':
      return compileGemini(text, ports.event)
    case 'copilot':
      return isAll(text) ? { kind: 'all' } : regexRule(`^(?:${text})$`, 'javascript')
  }
}

/** Characters that make a text a list of names instead of a regex. */
const WIDE_LIST = /^[A-Za-z0-9_\- ,|]*$/
const NARROW_LIST = /^[A-Za-z0-9_|]*$/
/** Claude events whose lists follow the narrow rule (their values hold dots and commas). */
const NARROW_EVENTS = new Set(['FileChanged', 'StopFailure'])

function isAll(text: string): boolean {
  return text === '' || text === '*'
}

function compileListOrRegex(text: string, list: RegExp, syntax: RegexSyntax): NameRule {
  if (isAll(text)) return { kind: 'all' }
  return list.test(text) ? { kind: 'exact', names: splitNames(text, /[|,]/) } : regexRule(text, syntax)
}

/** An empty alternative (`Write|`) names nothing, so it is dropped. */
function splitNames(text: string, separator: RegExp | string): string[] {
  return text
    .split(separator)
    .map(name => name.trim())
    .filter(name => name !== '')
}

/** Signs that no name holds. A star means something only at the end. */
const NO_NAME = /[()[\]{}^$+?\\]|\*./

function compileToml(text: string): NameRule {
  if (text === '') return { kind: 'all' }
  // Before the list: a regular expression may hold alternatives of its own (`^(Write|Edit)$`).
  if (text.startsWith('^') || text.includes('.*')) return regexRule(text, 're2')
  const names = splitNames(text, '|')
  const odd = names.find(name => NO_NAME.test(name))
  if (odd !== undefined) {
    const message = `"${odd}" would match nothing: a regular expression begins with ^, and a star stands at the end of a name`
    return { kind: 'invalid', problem: { reason: 'syntax', message, offset: text.indexOf(odd) } }
  }
  if (names.includes('*')) return { kind: 'all' }
  if (!names.some(name => name.endsWith('*'))) return { kind: 'exact', names }
  return { kind: 'glob', test: value => names.some(name => isNameOrPrefix(name, value)) }
}

function isNameOrPrefix(name: string, value: string): boolean {
  return name.endsWith('*') ? value.startsWith(name.slice(0, -1)) : value === name
}

/** Gemini compares tools by regex (a broken one literally) and lifecycle triggers exactly. */
const GEMINI_TOOL_EVENTS = new Set(['BeforeTool', 'AfterTool', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure'])

function compileGemini(text: string, event: string | undefined): NameRule {
  if (isAll(text)) return { kind: 'all' }
  if (event !== undefined && !GEMINI_TOOL_EVENTS.has(event)) return { kind: 'exact', names: [text] }
  const rule = regexRule(text, 'javascript')
  return rule.kind === 'invalid' && rule.problem.reason === 'syntax' ? { kind: 'exact', names: [text] } : rule
}

function regexRule(pattern: string, syntax: RegexSyntax): NameRule {
  const compiled = compileRegex(pattern, syntax)
  return compiled.ok ? { kind: 'regex', test: compiled.test } : { kind: 'invalid', problem: compiled.problem }
}
