// When a hook fires: one matcher text, compiled once by the rules of the dialect it was written in (docs/semantics.md, section 4).
// Invariants: compiling never throws; a matcher with a problem never fires; `*` and lists of names are plain comparisons.
import type { HookDefinition, MatcherText } from '../hook/hook-definition.ts'
import { compileDialect } from './matcher-dialect.ts'
import type { MatcherPorts, MatcherProblem, MatchInput } from './matcher-rule.ts'

export type MatcherKind = 'all' | 'exact' | 'glob' | 'regex' | 'call' | 'function' | 'invalid'

export interface CompiledMatcher<Input extends MatchInput = MatchInput> {
  readonly kind: MatcherKind
  /** Null unless the kind is `invalid`. */
  readonly problem: MatcherProblem | null
  /** The names of an `exact` matcher. */
  readonly names?: readonly string[]
  test(input: Input): boolean
}

export type MatcherInput = HookDefinition['matcher'] | null

export function compileMatcher<Input extends MatchInput = MatchInput>(
  matcher: MatcherInput,
  ports: MatcherPorts<Input> = {},
): CompiledMatcher<Input> {
  if (matcher === undefined || matcher === null) return { kind: 'all', problem: null, test: () => true }
  if (matcher instanceof RegExp) return onValue('regex', fromRegExp(matcher))
  if (typeof matcher === 'function') return onValue('function', value => Boolean(matcher(value)))
  return fromText(matcher, ports)
}

function fromText<Input extends MatchInput>(matcher: MatcherText, ports: MatcherPorts<Input>): CompiledMatcher<Input> {
  const rule = compileDialect(matcher, ports)
  switch (rule.kind) {
    case 'all':
      return { kind: 'all', problem: null, test: () => true }
    case 'invalid':
      return { kind: 'invalid', problem: rule.problem, test: () => false }
    case 'exact':
      return { ...onValue<Input>('exact', exactTest(rule.names)), names: rule.names }
    case 'glob':
    case 'regex':
      return onValue(rule.kind, rule.test)
    case 'call':
      return { kind: 'call', problem: null, test: input => input.value === null || rule.test(input) }
  }
}

function exactTest(names: readonly string[]): (value: string) => boolean {
  const [first] = names
  return names.length === 1 ? value => value === first : value => names.includes(value)
}

/** A RegExp from code runs as given, but without the memory that `g` and `y` keep between tests. */
function fromRegExp(given: RegExp): (value: string) => boolean {
  const own = new RegExp(given)
  return value => {
    own.lastIndex = 0
    return own.test(value)
  }
}

function onValue<Input extends MatchInput>(
  kind: Exclude<MatcherKind, 'invalid'>,
  matches: (value: string) => boolean,
): CompiledMatcher<Input> {
  return {
    kind,
    problem: null,
    test: ({ value, aliases }) => value === null || matches(value) || aliases?.some(matches) === true,
  }
}
