// The names that readers of other hook libraries look for: a registry with `add`, `addWithPattern` and `run`, events and results as values.
// Thin: everything here is `createHooks` under another name, so that both may be mixed.
import { EVENTS, type EventName } from '../event/table.ts'
import type { HookEvent as Occurrence } from '../hook/hook-event.ts'
import type { HookResult as FullResult } from '../hook/hook-result.ts'
import { isRegexText } from '../match/matcher-call.ts'
import { compileRegex } from '../match/regex.ts'
import { allow, ask, deny, none, type Verdict } from '../verdict/verdict.ts'
import { createHooks, type Hooks, type HooksOptions } from './create-hooks.ts'
import type { HookableEvent, HookFunction, LibraryMatcher, PayloadOf } from './typed-context.ts'

export type HookEvent = Occurrence
/** `HookEvent.PreToolUse` is `'PreToolUse'`, and so on for every event. */
export const HookEvent = Object.freeze(Object.fromEntries(EVENTS.map(({ name }) => [name, name]))) as { readonly [N in EventName]: N }

export type HookResult = FullResult
/** What a hook may return, by name: `HookResult.deny('not here')`. */
export const HookResult = Object.freeze({ allow, ask, deny, none })

export type PermissionDecision = Verdict['decision']
export const PermissionDecision = Object.freeze({ Allow: 'allow', Deny: 'deny', Ask: 'ask' } as const)

/** What hooks are run on. What they change of input, prompt, output and messages stands in it afterwards. */
export interface RunContext {
  readonly event: HookableEvent
  readonly toolName?: string
  toolInput?: Readonly<Record<string, unknown>> | null
  readonly toolUseId?: string
  toolOutput?: unknown
  readonly error?: string
  userPrompt?: string | null
  messages?: unknown[]
  metadata?: Map<string, unknown>
  readonly sessionId?: string
}

export class HookRegistry implements Hooks {
  readonly registry: Hooks['registry']
  readonly engine: Hooks['engine']
  readonly on: Hooks['on']
  readonly fire: Hooks['fire']
  readonly fireBatch: Hooks['fireBatch']

  constructor(options: HooksOptions = {}) {
    const { registry, engine, on, fire, fireBatch } = createHooks({}, options)
    this.registry = registry
    this.engine = engine
    this.on = on
    this.fire = fire
    this.fireBatch = fireBatch
  }

  /** A hook for every occurrence of the event. */
  add<N extends HookableEvent>(event: N, hook: HookFunction<N>): this {
    this.on(event, hook)
    return this
  }

  /** `Bash`, `Read|Write|Edit`, `Bash(rm *)`, `mcp__*`, or a regular expression, which may match anywhere (`^mcp__.+`). Throws where it is none of these. */
  addWithPattern<N extends HookableEvent>(event: N, pattern: string | RegExp, hook: HookFunction<N>): this {
    this.on(event, typeof pattern === 'string' ? readPattern(pattern) : pattern, hook)
    return this
  }

  /** The verdict of all hooks; a deny wins. */
  async run(context: RunContext): Promise<Verdict> {
    const { event, messages, metadata, sessionId } = context
    const fired = await this.fire(event, payloadOf(context), {
      ...(messages === undefined ? {} : { messages }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(sessionId === undefined ? {} : { sessionId }),
    })
    for (const { target, after } of fired.rewrites) Object.assign(context, { [CHANGED[target]]: after })
    return fired.verdict
  }
}

const CHANGED = { input: 'toolInput', prompt: 'userPrompt', output: 'toolOutput' } as const

function payloadOf({ toolName, toolInput, toolUseId, toolOutput, error, userPrompt }: RunContext): PayloadOf<HookableEvent> {
  const given = { toolName, toolInput, toolUseId, toolResponse: toolOutput, error, prompt: userPrompt }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as PayloadOf<HookableEvent>
}

/** What is not a regular expression is read, or refused, as every text in code. */
function readPattern(pattern: string): LibraryMatcher {
  if (!isRegexText(pattern)) return pattern
  const compiled = compileRegex(pattern, 're2')
  return compiled.ok ? value => compiled.test(value) : pattern
}
