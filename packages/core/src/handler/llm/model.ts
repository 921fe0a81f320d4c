// What a provider needs of a model: one question, one structured answer, what it cost. How it is reached is behind this.
import type { LookTool } from './look-tools.ts'

export interface ModelCall {
  readonly system: string
  readonly prompt: string
  /** null: the one that is configured. */
  readonly model: string | null
  readonly signal: AbortSignal
  /** With tools it may take several turns. */
  readonly tools: readonly LookTool[]
  readonly maxTurns: number
  readonly onProgress: (text: string) => void
}

export interface TokenCount {
  readonly input: number
  readonly output: number
}

export type ModelReply =
  /** `value` is whatever the model answered; it is checked by the caller. */
  | { readonly kind: 'value'; readonly value: unknown; readonly model: string; readonly tokens: TokenCount }
  | { readonly kind: 'failed'; readonly why: string; readonly model: string; readonly tokens: TokenCount }

export interface Model {
  ask(call: ModelCall): Promise<ModelReply>
}
