// What configuration needs of the core, named in one place.

export type { AgentId } from '../../../../core/src/adapter/agent-id.ts'
export { canonicalEvent } from '../../../../core/src/adapter/event-name.ts'
export { findEvent } from '../../../../core/src/event/table.ts'
export type {
  CommandDialect,
  CommandHandler,
  Handler,
  HookDefinition,
  HttpHandler,
  MatcherDialect,
  Scope,
} from '../../../../core/src/hook/hook-definition.ts'
export { compileMatcher } from '../../../../core/src/match/matcher.ts'
export type { MatcherProblem } from '../../../../core/src/match/matcher-rule.ts'
export { parseGenesis } from '../../../../core/src/policy/genesis/parse-genesis.ts'
export { suggest } from '../../../../core/src/policy/genesis/suggest.ts'
export { parseRule } from '../../../../core/src/policy/parse-rule.ts'
export type { Rule, RuleDialect, RuleEffect } from '../../../../core/src/policy/rule.ts'
export type { Diagnostic, Place, Severity } from '../../../../core/src/verdict/place.ts'
