// When a hook fires: one matcher text, compiled once by the rules of the dialect it was written in (docs/semantics.md, section 4).
// Invariants: compiling never throws; a matcher with a problem never fires; `*` and lists of names are plain comparisons.
import type { HookDefinition, MatcherText } from '../hook/hook-definition.ts'
import { compileDialect } from './matcher-dialect.ts'
import type { MatcherPorts, MatcherProblem, MatchSubject } from './matcher-rule.ts'

export type MatcherKind = 'all' | 'exact' | 'glob' | 'regex' | 'call' | 'function' | 'invalid'

export interface CompiledMatcher<Subject extends MatchSubject = MatchSubject> {
  readonly kind: MatcherKind
  /** Null unless the kind is `invalid`. */
  readonly problem: MatcherProblem | null
  /** The names of an `exact` matcher. */
  readonly names?: readonly string[]
  test(subject: Subject): boolean
}

export type MatcherInput = HookDefinition['matcher'] | null

export function compileMatcher<Subject extends MatchSubject = MatchSubject>(
  matcher: MatcherInput,
  ports: MatcherPorts<Subject> = {},
): CompiledMatcher<Subject> {
  if (matcher === undefined || matcher === null) return { kind: 'all', problem: null, test: () => true }
  if (matcher instanceof RegExp) return onValue('regex', fromRegExp(matcher))
  if (typeof matcher === 'function') return onValue('function', value => Boolean(matcher(value)))
  return fromText(matcher, ports)
}

function fromText<Subject extends MatchSubject>(matcher: MatcherText, ports: MatcherPorts<Subject>): CompiledMatcher<Subject> {
  const rule = compileDialect(matcher, ports)
  switch (rule.kind) {
    case 'all':
      return { kind: 'all', problem: null, test: () => true }
    case 'invalid':
      return { kind: 'invalid', problem: rule.problem, test: () => false }
    case 'exact':
      return { ...onValue<Subject>('exact', exactTest(rule.names)), names: rule.names }
    case 'glob':
    case 'regex':
      return onValue(rule.kind, rule.test)
    case 'call':
      return { kind: 'call', problem: null, test: subject => subject.value === null || rule.test(subject) }
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

function onValue<Subject extends MatchSubject>(
  kind: Exclude<MatcherKind, 'invalid'>,
  matches: (value: string) => boolean,
): CompiledMatcher<Subject> {
  return {
    kind,
    problem: null,
    test: ({ value, aliases }) => value === null || matches(value) || aliases?.some(matches) === true,
  }
}
