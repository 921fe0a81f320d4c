// The context that a function hook works on. What it may change is copied when it first looks at it, so a hook that only reads nothing
// costs nothing, and a hook that keeps a reference cannot change the event later.
import type { HookContext } from '../hook/hook-context.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { HookResult } from '../hook/hook-result.ts'
import { copyValue, isSameValue } from './inline-value.ts'

/** What the host shares with all hooks of one occurrence. */
export interface HostState {
  readonly messages: unknown[]
  readonly metadata: Map<string, unknown>
}

const UNREAD = Symbol('unread')

export class InlineContext implements HookContext {
  readonly source: HookEvent
  messages: unknown[]
  readonly metadata: Map<string, unknown>
  private readonly onProgress: ((text: string) => void) | undefined
  private controller: AbortController | undefined
  private input: unknown
  private output: unknown
  private prompt: unknown

  constructor(source: HookEvent, host: HostState, onProgress: ((text: string) => void) | undefined) {
    this.source = source
    this.messages = host.messages
    this.metadata = host.metadata
    this.onProgress = onProgress
    this.controller = undefined
    this.input = UNREAD
    this.output = UNREAD
    this.prompt = UNREAD
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
    if (this.input === UNREAD) this.input = copyValue(this.source.fields.toolInput) ?? null
    return this.input as Record<string, unknown> | null
  }

  set toolInput(value: Record<string, unknown> | null) {
    this.input = value
  }

  get toolOutput(): unknown {
    if (this.output === UNREAD) this.output = copyValue(this.source.fields.toolResponse)
    return this.output
  }

  set toolOutput(value: unknown) {
    this.output = value
  }

  get userPrompt(): string | null {
    return this.prompt === UNREAD ? textOrNull(this.source.fields.prompt) : (this.prompt as string | null)
  }

  set userPrompt(value: string | null) {
    this.prompt = value
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    return this.controller.signal
  }

  progress(text: string): void {
    this.onProgress?.(text)
  }

  abort(): void {
    this.controller ??= new AbortController()
    this.controller.abort()
  }

  /**
   * What the hook changed in place; undefined where it changed nothing. Values are copied, for the hook may still hold its own.
   * Input or prompt set to null means the original one, as in L (`tool_input.unwrap_or(input)`).
   */
  takeRewrite(): HookResult['rewrite'] | undefined {
    if (this.input === UNREAD && this.output === UNREAD && this.prompt === UNREAD) return undefined
    const { fields } = this.source
    const rewrite: { input?: Record<string, unknown>; output?: unknown; prompt?: string } = {}
    if (this.input !== null && isChanged(this.input, fields.toolInput)) rewrite.input = copyValue(this.input) as Record<string, unknown>
    if (isChanged(this.output, fields.toolResponse)) rewrite.output = copyValue(this.output)
    if (this.prompt !== null && isChanged(this.prompt, fields.prompt)) rewrite.prompt = this.prompt as string
    return Object.keys(rewrite).length === 0 ? undefined : rewrite
  }
}

function isChanged(draft: unknown, original: unknown): boolean {
  return draft !== UNREAD && !isSameValue(draft ?? null, original ?? null)
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
