// What the daemon and the thread that talks to the hub say to each other.

/** Calls that were judged by two bundles since this was said last. */
export interface ComparedCount {
  /** The newer of the two. */
  readonly version: number
  readonly calls: number
  /** Denied by the newer one only. */
  readonly newDenies: number
}

export type ToTeam = { readonly kind: 'stop' } | { readonly kind: 'compared'; readonly count: ComparedCount }

/** Something for the ledger, which only the daemon writes. */
export type FromTeam = { readonly kind: 'record'; readonly entry: TeamEntry }

export interface TeamEntry {
  readonly kind: 'team_policy' | 'bundle_refused' | 'roll_out_halted'
  readonly body: Readonly<Record<string, unknown>>
}
