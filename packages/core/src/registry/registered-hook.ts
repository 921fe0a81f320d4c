// A hook made ready to run: matcher and condition compiled, defaults filled in.
import { canonicalEventName } from '../event/table.ts'
import { BelayError } from '../hook/errors.ts'
import type { InlineHandler } from '../hook/hook-context.ts'
import type { FailMode, HookDefinition, Scope } from '../hook/hook-definition.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import { labelHook } from '../hook/label-hook.ts'
import { type CompiledMatcher, compileMatcher } from '../match/matcher.ts'
import type { CallPattern, MatchInput } from '../match/matcher-rule.ts'
import { formatPlace } from '../verdict/place.ts'
import { checkDefinition } from './check-definition.ts'

/** What the matcher of a hook is compared with. */
export interface HookMatchInput extends MatchInput {
  readonly event: HookEvent
}

export type ConditionOutcome = { readonly ok: true; readonly value: boolean } | { readonly ok: false; readonly why: string }

/** What the registry cannot know itself: permission patterns and conditions belong to policy. */
export interface HookPorts {
  /** Judges `Tool(spec)` matchers and Claude's `if`. */
  readonly compileCall?: (pattern: string) => CallPattern<HookMatchInput>
  /** Evaluates a CEL condition. Without it every condition counts as true. */
  readonly evaluateCondition?: (condition: string, event: HookEvent) => ConditionOutcome
}

export interface RegisteredHook {
  readonly definition: HookDefinition
  readonly scope: Scope
  readonly label: string
  /** The function, where the hook is one. */
  readonly inline: InlineHandler | null
  readonly fail: FailMode
  readonly matcher: CompiledMatcher<HookMatchInput>
  readonly onlyIf: CompiledMatcher<HookMatchInput> | null
  /** Whether matching it needs no look at the event at all. */
  readonly isUnconditional: boolean
  /** A function that runs every time and is waited for: nothing about it has to be looked up between hooks. */
  readonly isPlain: boolean
}

/** Throws on a definition that can never work: loaders check beforehand and report with the place. */
export function compileHook(definition: HookDefinition, ports: HookPorts): RegisteredHook {
  checkDefinition(definition)
  const event = canonicalEventName(definition.event)
  const label = labelHook(definition)
  const matcher = compileMatcher<HookMatchInput>(definition.matcher, { event, ...callPort(ports) })
  if (matcher.problem !== null) throw matcherError(definition, label, matcher.problem.message)
  const inline = definition.handler.type === 'inline' ? definition.handler.run : null
  const isUnconditional =
    matcher.kind === 'all' && definition.onlyIf === undefined && definition.condition === undefined && definition.once !== true
  return {
    definition: event === definition.event ? definition : { ...definition, event },
    scope: definition.scope,
    label,
    inline,
    fail: definition.fail ?? (definition.scope === 'policy' ? 'closed' : 'open'),
    matcher,
    onlyIf: compileOnlyIf(definition, label, ports),
    isUnconditional,
    isPlain: isUnconditional && inline !== null && !definition.async && !definition.once,
  }
}

function compileOnlyIf(definition: HookDefinition, label: string, ports: HookPorts): CompiledMatcher<HookMatchInput> | null {
  if (definition.onlyIf === undefined) return null
  const rule = compileMatcher<HookMatchInput>({ dialect: 'genesis', text: definition.onlyIf }, callPort(ports))
  if (rule.problem !== null) throw matcherError(definition, label, rule.problem.message)
  return rule
}

function callPort({ compileCall }: HookPorts): Pick<HookPorts, 'compileCall'> {
  return compileCall === undefined ? {} : { compileCall }
}

function matcherError({ place }: HookDefinition, label: string, problem: string): BelayError {
  return new BelayError(
    'BELAY_HOOK_MATCHER',
    `${place === undefined ? '' : `${formatPlace(place)}: `}matcher of hook "${label}": ${problem}`,
  )
}
