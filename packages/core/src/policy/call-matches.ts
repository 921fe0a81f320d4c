// Does a pattern speak about a call? The one answer behind `Tool(spec)` matchers and `hooks test-pattern`; and, the other way
// round, do patterns cover all of it, which is what a whitelist means.
import { type CompiledPermissions, compileRules } from './compile-rules.ts'
import { judge } from './judge.ts'
import type { JudgeContext, ToolCall } from './judgement.ts'
import { parseRule } from './parse-rule.ts'
import type { ParsedRule, Rule } from './rule.ts'

/** must: some part matches whatever its unknown parts become; may: for some values, or because it cannot be read. */
export type CallMatch = 'must' | 'may' | 'no'

export type CallPattern =
  | { readonly ok: true; readonly match: (call: ToolCall, context: JudgeContext) => CallMatch }
  | Extract<ParsedRule, { ok: false }>

/** Text is in the genesis dialect. A pattern names tools, not families: `Write(x)` says nothing about Edit. */
export function compileCallPattern(pattern: Rule | string): CallPattern {
  const parsed = typeof pattern === 'string' ? parsePattern(pattern, 'deny') : ({ ok: true, rule: pattern } as const)
  if (!parsed.ok) return parsed
  const rule: Rule = { ...parsed.rule, effect: 'deny' }
  const compiled = compileRules({ allow: [], ask: [], deny: [rule], default: 'none', hash: '' }, { families: false })
  return { ok: true, match: (call, context) => matchCall(call, compiled, context) }
}

/** A pattern that does not parse matches nothing; compile it first to learn why. */
export function callMatches(pattern: Rule | string, call: ToolCall, context: JudgeContext): CallMatch {
  const compiled = compileCallPattern(pattern)
  return compiled.ok ? compiled.match(call, context) : 'no'
}

/** Every unit and every file effect of the call is covered by one of the patterns, as if they were allow rules, and there is one. */
export function callCovered(patterns: readonly (Rule | string)[], call: ToolCall, context: JudgeContext): boolean {
  const compiled = whitelists.get(patterns) ?? compileWhitelist(patterns)
  whitelists.set(patterns, compiled)
  const { verdict, parts } = judge(call, compiled, context)
  return verdict.decision === 'allow' && parts.some(part => part.decision === 'allow')
}

/** Whitelists are mostly constants. */
const whitelists = new WeakMap<readonly (Rule | string)[], CompiledPermissions>()

function compileWhitelist(patterns: readonly (Rule | string)[]): CompiledPermissions {
  const allow: Rule[] = []
  for (const pattern of patterns) {
    const parsed = typeof pattern === 'string' ? parsePattern(pattern, 'allow') : ({ ok: true, rule: pattern } as const)
    if (parsed.ok) allow.push({ ...parsed.rule, effect: 'allow' })
  }
  return compileRules({ allow, ask: [], deny: [], default: 'ask', hash: '' })
}

function parsePattern(text: string, effect: 'allow' | 'deny'): ParsedRule {
  return parseRule(text, { effect, dialect: 'genesis', id: text })
}

function matchCall(call: ToolCall, compiled: CompiledPermissions, context: JudgeContext): CallMatch {
  const { parts, parser } = judge(call, compiled, { ...context, selfProtection: false })
  if (parts.some(part => part.match === 'must')) return 'must'
  const may = parts.some(part => part.match === 'may')
  const unread = (parser === 'partial' || parser === 'refused') && compiled.deny.byTool.has(call.tool)
  return may || unread ? 'may' : 'no'
}
