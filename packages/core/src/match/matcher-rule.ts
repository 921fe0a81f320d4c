// The vocabulary between a matcher's text, the rule it compiles to, and what it is compared with.

/** What a matcher is compared with. */
export interface MatchInput {
  /** The event's matcher field (tool name, source, trigger ...); null where the event has none: then every matcher lets it through. */
  readonly value: string | null
  /** Other names of the same thing: the agent's own tool name, an old spelling. */
  readonly aliases?: readonly string[]
}

export interface MatcherProblem {
  /** syntax: the text is wrong. unsupported: fine for its own agent, but not for us (look-around). */
  readonly reason: 'syntax' | 'unsupported'
  readonly message: string
  /** Where in the matcher text, counted from 0. */
  readonly offset: number
  readonly remedy?: string
}

/** How `Tool(spec)` is judged. Permission patterns live in policy, which match may not import, so the caller brings them. */
export type CallPattern<Input extends MatchInput> =
  | { readonly ok: true; readonly test: (input: Input) => boolean }
  | { readonly ok: false; readonly message: string; readonly offset?: number }

export interface MatcherPorts<Input extends MatchInput = MatchInput> {
  /** Some dialects match lifecycle events by another rule than tool events. */
  readonly event?: string
  readonly compileCall?: (pattern: string) => CallPattern<Input>
}

/** A rule that needs nothing but the name. */
export type NameRule =
  | { readonly kind: 'all' }
  | { readonly kind: 'exact'; readonly names: readonly string[] }
  | { readonly kind: 'glob' | 'regex'; readonly test: (value: string) => boolean }
  | { readonly kind: 'invalid'; readonly problem: MatcherProblem }

export type MatcherRule<Input extends MatchInput> = NameRule | { readonly kind: 'call'; readonly test: (input: Input) => boolean }
