// What the daemon and the thread that talks to the hub say to each other.
import type { SharedApproval } from '@belay/core/team'

/** Calls that were judged by two bundles since this was said last. */
export interface ComparedCount {
  /** The newer of the two. */
  readonly version: number
  readonly calls: number
  /** Denied by the newer one only. */
  readonly newDenies: number
}

/** As it is kept until the hub has it. */
export interface UnsentApproval extends SharedApproval {
  readonly createdAt: string
}

/** What a person has decided at the hub. */
export interface HubDecision {
  readonly id: string
  readonly decision: 'allowed' | 'denied'
  readonly by: string
  readonly note: string | null
}

export interface TakenEffort {
  readonly id: number
  /** The machine that has it now, and what people call it. */
  readonly owner: string
  readonly name: string
}

export type ToTeam =
  | { readonly kind: 'stop' }
  | { readonly kind: 'compared'; readonly count: ComparedCount }
  | { readonly kind: 'approval'; readonly approval: UnsentApproval }

export type FromTeam =
  /** Something for the ledger, which only the daemon writes. */
  | { readonly kind: 'record'; readonly entry: TeamEntry }
  | { readonly kind: 'decision'; readonly decision: HubDecision }
  /** An effort of this machine goes on elsewhere. */
  | ({ readonly kind: 'taken' } & TakenEffort)
  /** Whether somebody at the hub can decide: agents are held for them. */
  | { readonly kind: 'watched'; readonly isWatched: boolean }

export interface TeamEntry {
  readonly kind: 'team_policy' | 'bundle_refused' | 'roll_out_halted' | 'hub_doubted'
  readonly body: Readonly<Record<string, unknown>>
}
