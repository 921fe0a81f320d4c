// The context that a function hook works on. What it may change is copied when it first looks at it: a hook that looks at nothing costs
// nothing, and one that keeps a reference cannot change the event later.
import type { HookContext } from '../hook/hook-context.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { HookResult } from '../hook/hook-result.ts'
import { copyValue, isSameValue } from './inline-value.ts'

/** What all hooks of one occurrence share. */
export interface HostState {
  readonly options: {
    readonly messages?: unknown[]
    readonly metadata?: Map<string, unknown>
    readonly observer?: { output(hook: string, text: string): void }
  }
  readonly parts: { readonly metadata: Map<string, unknown> }
}

/** What was made for this hook because it asked, or what it set; a key that is missing was neither. */
interface Draft {
  input?: Record<string, unknown> | null
  output?: unknown
  prompt?: string | null
  /** Where the host has no list of its own. */
  messages?: unknown[]
  controller?: AbortController
}

export class InlineContext implements HookContext {
  // Declared only: a field that is defined first and assigned afterwards costs twice, and a context is made for every hook.
  declare readonly source: HookEvent
  declare private readonly host: HostState
  declare private readonly label: string
  declare private draft: Draft | null

  constructor(source: HookEvent, host: HostState, label: string) {
    this.source = source
    this.host = host
    this.label = label
    this.draft = null
  }

  get event(): string {
    return this.source.name
  }

  get sessionId(): string {
    return this.source.sessionId
  }

  get cwd(): string {
    return this.source.cwd
  }

  get actor(): string {
    return this.source.actor
  }

  get toolName(): string | null {
    return textOrNull(this.source.fields.toolName)
  }

  get toolUseId(): string | null {
    return textOrNull(this.source.fields.toolUseId)
  }

  get error(): string | null {
    return textOrNull(this.source.fields.error)
  }

  get toolInput(): Record<string, unknown> | null {
    const draft = this.open()
    if (draft.input === undefined) draft.input = (copyValue(this.source.fields.toolInput) ?? null) as Record<string, unknown> | null
    return draft.input
  }

  set toolInput(value: Record<string, unknown> | null) {
    this.open().input = value
  }

  get toolOutput(): unknown {
    const draft = this.open()
    if (!('output' in draft)) draft.output = copyValue(this.source.fields.toolResponse)
    return draft.output
  }

  set toolOutput(value: unknown) {
    this.open().output = value
  }

  get userPrompt(): string | null {
    return this.draft?.prompt === undefined ? textOrNull(this.source.fields.prompt) : this.draft.prompt
  }

  set userPrompt(value: string | null) {
    this.open().prompt = value
  }

  get messages(): unknown[] {
    const { messages } = this.host.options
    if (messages !== undefined) return messages
    const draft = this.open()
    draft.messages ??= []
    return draft.messages
  }

  get metadata(): Map<string, unknown> {
    return this.host.options.metadata ?? this.host.parts.metadata
  }

  /** Whether the hook has asked for nothing that had to be made for it. */
  get isUntouched(): boolean {
    return this.draft === null
  }

  get signal(): AbortSignal {
    const draft = this.open()
    draft.controller ??= new AbortController()
    return draft.controller.signal
  }

  progress(text: string): void {
    this.host.options.observer?.output(this.label, text)
  }

  abort(): void {
    const draft = this.open()
    draft.controller ??= new AbortController()
    draft.controller.abort()
  }

  /**
   * What the hook changed in place; null where it changed nothing. Values are copied, for the hook may still hold its own.
   * Input or prompt set to null means the original one, as in L (`tool_input.unwrap_or(input)`).
   */
  takeRewrite(): HookResult['rewrite'] | null {
    if (this.draft === null) return null
    const { fields } = this.source
    const { input = null, prompt = null, output } = this.draft
    const rewrite: { input?: Record<string, unknown>; prompt?: string; output?: unknown } = {}
    if (input !== null && !isSameValue(input, fields.toolInput)) rewrite.input = copyValue(input) as Record<string, unknown>
    if (prompt !== null && prompt !== fields.prompt) rewrite.prompt = prompt
    if (output !== undefined && !isSameValue(output, fields.toolResponse)) rewrite.output = copyValue(output)
    return Object.keys(rewrite).length === 0 ? null : rewrite
  }

  private open(): Draft {
    this.draft ??= {}
    return this.draft
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
