// What the verbs of the page work with. One object, made when the daemon starts.
import type { Approvals } from '../../approval/open-approvals.ts'
import type { Commitments } from '../../commitment/open-commitments.ts'
import type { GuardCache } from '../../decision/guard-cache.ts'
import type { EventFeed } from '../../feed/event-feed.ts'
import type { GuardPlace } from '../../guard/load-guard.ts'
import type { Ledger } from '../../ledger/open-ledger.ts'
import type { FindUnguarded } from '../../method/unguarded.ts'
import type { StateEngine } from '../../state/open-state.ts'
import type { Doings } from '../../statistic/doings.ts'
import type { Tally } from '../../statistic/tally.ts'

export interface PageParts {
  readonly ledger: Ledger
  readonly feed: EventFeed
  readonly guards: GuardCache
  readonly state: StateEngine
  readonly doings: Doings
  readonly approvals: Approvals
  /** Until when an agent waits for this request; null: none does. */
  heldUntil(id: string): number | null
  readonly commitments: Commitments
  readonly tally: Tally
  readonly home: string
  /** From where policies are read. */
  readonly place: GuardPlace
  readonly unguarded: FindUnguarded
  /** `human:<name>` of this machine. */
  readonly person: string
  readonly version: string
  readonly startedAt: number
  redact(text: string): string
  readonly now: () => number
}
