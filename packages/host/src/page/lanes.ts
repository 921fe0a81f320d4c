// Agents over time: what each did between two moments.
import type { Verdict } from './record.ts'

export interface LaneItem {
  /** The newest entry of it. */
  readonly seq: number
  /** Milliseconds since 1970; a mark has no length. */
  readonly from: number
  readonly until: number
  /** `held`: a person was waited for. */
  readonly kind: 'call' | 'held' | 'mark'
  /** The strictest of those it stands for. */
  readonly verdict: Verdict
  readonly count: number
  /** Of one: what it is. */
  readonly words: string
}

export interface Lane {
  readonly agent: string
  /** A person is waited for. */
  readonly waits: boolean
  readonly calls: number
  readonly denied: number
  /** Calls that a person was asked about, whatever the answer. */
  readonly asked: number
  /** How full its window is now, 0 to 1; null: unknown. */
  readonly context: number | null
  /** Oldest first. */
  readonly items: readonly LaneItem[]
}

export interface Lanes {
  readonly from: string
  readonly until: string
  /** Who waits comes first, then who did most. */
  readonly lanes: readonly Lane[]
  /** Not all of the range was looked at: what is there is the newest. */
  readonly isPartial: boolean
}
