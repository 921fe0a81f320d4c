// One session from its first prompt to its end, as the page tells it.
import type { FileDiff, RecordRow, Verdict } from './record.ts'

export interface StoryHook {
  readonly name: string
  readonly ms: number | null
  readonly verdict: Verdict
  readonly outcome: string
}

export interface StoryEntry {
  readonly row: RecordRow
  /** The sub-agent it happened in; null: the session's own agent. */
  readonly subagent: { readonly id: string; readonly type: string | null } | null
  /** A prompt or a last message in full, up to a few thousand characters. */
  readonly text: string | null
  /** What hooks gave the model to read. */
  readonly context: readonly string[]
  readonly hooks: readonly StoryHook[]
  /** What the call changed, by its evidence. */
  readonly diffs: readonly FileDiff[]
  /** What a call that is done was told to change: where there is no evidence, that is known. */
  readonly change: { readonly path: string; readonly before: string; readonly after: string } | null
}

export interface Story {
  readonly session: string
  readonly agentId: string | null
  readonly project: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** Tokens in its window, and how many fit; null: unknown. */
  readonly tokens: { readonly used: number; readonly window: number } | null
  /** In dollars, as the agent says it; null: it does not. */
  readonly cost: number | null
  /** 0 to 1. */
  readonly context: number | null
  /** Oldest first. */
  readonly entries: readonly StoryEntry[]
  /** It is longer: this is its newest part. */
  readonly isPartial: boolean
}
