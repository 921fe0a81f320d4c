// One found rule -> a rule of ours. A rule that does not parse is said, and the rest holds.

import { parseRule } from '../policy/parse-rule.ts'
import type { Diagnostic, Place } from '../verdict/place.ts'
import type { Dialect } from './dialect.ts'
import type { LoadedRule } from './loaded-config.ts'
import type { FoundRule } from './walk-permissions.ts'

export interface RuleAndDiagnostics {
  readonly rule: LoadedRule
  readonly diagnostics: readonly Diagnostic[]
}

export function loadRule(found: FoundRule, dialect: Dialect, place: Place): RuleAndDiagnostics {
  const { effect, text, actor, agent, value } = found
  const entry = {
    effect,
    text,
    place,
    ...(actor === undefined ? {} : { actor }),
    ...(agent === undefined ? {} : { agent }),
    ...(value === undefined ? {} : { value }),
  }
  if (text === null) return { rule: { ...entry, rule: null }, diagnostics: [] }
  const spelling = dialect.id === 'cursor' && found.dialect === 'claude' ? 'cursor' : found.dialect
  const parsed = parseRule(text, { effect, dialect: spelling, place })
  if (!parsed.ok) return { rule: { ...entry, rule: null }, diagnostics: [{ ...parsed.problem, severity: 'warning' }] }
  return { rule: { ...entry, rule: parsed.rule }, diagnostics: lintRule(text, found, dialect, place) }
}

/** Claude Code takes `Write(path)` but asks only `Edit(path)` about files. */
function lintRule(text: string, { effect }: FoundRule, { id }: Dialect, place: Place): Diagnostic[] {
  if (id !== 'claude' || !/^(Write|MultiEdit|NotebookEdit)\(.*[^*].*\)$/s.test(text)) return []
  const message = `Claude Code never consults "${text}" for paths`
  return [{ severity: effect === 'deny' ? 'warning' : 'info', message, place, remedy: `write ${text.replace(/^\w+/, 'Edit')}` }]
}
