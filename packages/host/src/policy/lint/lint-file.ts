// Everything that lint finds in one file: a policy, or the settings of an agent with rules or hooks in them.
import { type DialectId, type LoadedConfig, loadConfig } from '@belay/core/dialect'
import { type Diagnostic, type GenesisPolicy, parseGenesis, type Rule } from '@belay/core/policy'
import { genesisChecks } from '../../config/genesis-checks.ts'
import { acceptFindings } from './accept-findings.ts'
import { deadMatcher } from './dead-matcher.ts'
import type { Finding, LintCode } from './finding.ts'
import { type LintOptions, lintRules } from './lint-rules.ts'

export interface LintedFile {
  readonly findings: readonly Finding[]
  /** Those that a comment in the file accepts. */
  readonly accepted: readonly Finding[]
  readonly rules: number
}

type Found = Omit<LintedFile, 'accepted'>

export function lintFile(text: string, file: string, options: LintOptions): LintedFile {
  const isPolicy = /\.key$/.test(file) || isGenesis(text, file)
  const found = isPolicy ? lintPolicy(text, file, options) : lintSettings(text, file, options)
  const isSought = (code: LintCode): boolean => options.prove || code !== 'escaped-deny'
  const { findings, accepted } = isPolicy ? acceptFindings(text, found.findings, file, isSought) : { ...found, accepted: [] }
  return { ...found, findings: [...findings].sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column), accepted }
}

function isGenesis(text: string, file: string): boolean {
  return /\.ya?ml$/.test(file) && loadConfig(text, { path: file }).dialect === ('genesis' satisfies DialectId)
}

function lintPolicy(text: string, file: string, options: LintOptions): Found {
  const parsed = parseGenesis(text, file, genesisChecks)
  const warnings = parsed.warnings.map(toFinding)
  if (!parsed.ok)
    return { rules: 0, findings: [...parsed.errors.map(error => ({ ...toFinding(error), code: 'invalid-policy' as const })), ...warnings] }
  const { policy } = parsed
  const matchers = policy.hooks.flatMap(({ matcher, place }) =>
    matcher === undefined || place === undefined || !('text' in matcher) ? [] : (deadMatcher(matcher.text, place) ?? []),
  )
  return { rules: countRules(policy), findings: [...warnings, ...matchers, ...lintRules(policy, options)] }
}

function countRules({ permissions }: GenesisPolicy): number {
  return (permissions?.actors ?? []).reduce((sum, { allow, ask, deny }) => sum + allow.length + ask.length + deny.length, 0)
}

/** A slip in a name that differs only in case is safe to fix. */
function toFinding({ message, place, remedy }: Diagnostic): Finding {
  const [, tool] = /^(?:no agent that is known has a tool|calls never come as) `([^`]+)`/.exec(message) ?? []
  const [, meant] = /^did you mean (\S+)\?$/.exec(remedy ?? '') ?? []
  const isCase = tool !== undefined && meant !== undefined && tool.toLowerCase() === meant.toLowerCase()
  return {
    code:
      tool === undefined && !/^no agent|^(?:unknown|there is no) (?:actor|tool)|did you mean/i.test(`${message} ${remedy ?? ''}`)
        ? 'doubtful-setting'
        : 'unknown-name',
    place,
    message,
    ...(remedy === undefined ? {} : { remedy }),
    ...(isCase ? { fix: { kind: 'replace' as const, text: tool, by: meant } } : {}),
  }
}

function lintSettings(text: string, file: string, options: LintOptions): Found {
  const config = loadConfig(text, { path: file })
  const rules = config.permissions.flatMap(({ rule, place }) => (rule === null ? [] : [{ ...rule, place }]))
  const matchers = config.hooks.flatMap(({ matcher, place }) => (matcher === null ? [] : (deadMatcher(matcher, place) ?? [])))
  const problems = config.diagnostics.map(diagnostic => ({
    ...toFinding(diagnostic),
    ...(diagnostic.severity === 'error' ? { code: 'invalid-policy' as const } : {}),
  }))
  return { rules: rules.length, findings: [...problems, ...matchers, ...lintRules(policyOf(file, comparable(config)), options)] }
}

/** Those that mean what they would in a policy. In opencode the last rule that fits decides; a rule with a condition beside it is more than its text. */
function comparable({ dialect, permissions }: LoadedConfig): readonly Rule[] {
  if (dialect === ('opencode' satisfies DialectId)) return []
  return permissions.flatMap(({ rule, place, value }) => (rule === null || value !== undefined ? [] : [{ ...rule, place }]))
}

/** As the rules of a policy, so that the same judge reads them. */
function policyOf(file: string, rules: readonly Rule[]): GenesisPolicy {
  const named = rules.map((rule, index) => ({ ...rule, id: `${rule.id}-${index}` }))
  const of = (effect: Rule['effect']): readonly Rule[] => named.filter(rule => rule.effect === effect)
  const place = { file, line: 1, column: 1 }
  const block = { actor: 'agent:*', role: null, allow: of('allow'), ask: of('ask'), deny: of('deny'), place }
  return {
    file,
    version: '2.0',
    hash: '',
    trusted: true,
    hooksFrom: null,
    hooks: [],
    permissions: { default: 'ask', actors: [block] },
    operations: [],
    guards: [],
    guardrails: [],
    tools: [],
    sections: {},
  }
}
