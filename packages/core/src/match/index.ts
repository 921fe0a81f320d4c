export { type CompiledMatcher, compileMatcher, type MatcherInput, type MatcherKind } from './matcher.ts'
export type { CallPattern, MatcherPorts, MatcherProblem, MatchSubject } from './matcher-rule.ts'
export { type CompiledRegex, compileRegex, type RegexProblem } from './regex.ts'
