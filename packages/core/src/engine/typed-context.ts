// What a function hook sees, by event name: a PreToolUse hook has a tool name and an input, a UserPromptSubmit hook a prompt.
import type { EventName, EventPayload } from '../event/table.ts'
import type { HookContext, InlineAnswer } from '../hook/hook-context.ts'
import type { Handler } from '../hook/hook-definition.ts'
import type { HookEvent } from '../hook/hook-event.ts'

/** U's name for Stop is understood too. */
export type HookableEvent = EventName | 'AgentStop'

export type CanonicalName<N extends HookableEvent> = N extends EventName ? N : 'Stop'

export type PayloadOf<N extends HookableEvent> = EventPayload<CanonicalName<N>>

type Own = 'event' | 'toolName' | 'toolInput' | 'userPrompt' | 'source'

export type ContextOf<N extends HookableEvent> = Omit<HookContext, Own> & {
  readonly event: CanonicalName<N>
  readonly toolName: PayloadOf<N> extends { readonly toolName: string } ? string : string | null
  toolInput: PayloadOf<N> extends { readonly toolInput: object } ? Record<string, unknown> : Record<string, unknown> | null
  userPrompt: PayloadOf<N> extends { readonly prompt: string } ? string : string | null
  readonly source: Omit<HookEvent, 'fields'> & { readonly fields: PayloadOf<N> }
}

export type HookFunction<N extends HookableEvent> = (context: ContextOf<N>) => InlineAnswer | Promise<InlineAnswer>

/** null: every occurrence. A text is read as in genesis.key. */
export type LibraryMatcher = string | RegExp | ((value: string) => boolean) | null

/** U's form: `{ PreToolUse: [{ matcher: '*', hooks: [check] }] }`. */
export type Registration = {
  readonly [N in HookableEvent]?: readonly {
    readonly matcher?: LibraryMatcher
    readonly hooks: readonly (HookFunction<N> | Exclude<Handler, { readonly type: 'inline' }>)[]
  }[]
}
