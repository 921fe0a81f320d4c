// What the daemon knows of agents, sessions and active efforts, in memory: an event of a known agent reads nothing from the database.
// Changes are written behind; `flush` is for those who need them on disk or want to query. After a restart rows are read when they are first
// asked for.
import type { Store } from '../store/store.ts'
import { type AgentRows, openAgentRows } from './agent-rows.ts'
import { type EffortRows, openEffortRows } from './effort-rows.ts'
import { NO_MIRROR, type RowMirror } from './row-mirror.ts'
import { createSessionRows, type SessionRows } from './session-rows.ts'
import { createWriteBehind, type WriteBehind } from './write-behind.ts'

export interface WorkRows extends AgentRows, SessionRows, EffortRows, Pick<WriteBehind, 'changed' | 'flush'> {}

export interface WorkRowsOptions {
  readonly store: Store
  readonly now: () => number
  /** For clients that are alone. */
  readonly mirror?: RowMirror
  onFailure(error: unknown): void
}

export async function openWorkRows({ store, now, mirror = NO_MIRROR, onFailure }: WorkRowsOptions): Promise<WorkRows> {
  const behind = createWriteBehind(store, mirror, onFailure)
  return {
    ...(await openAgentRows({ store, behind, mirror, now })),
    ...createSessionRows(store, behind),
    ...(await openEffortRows(store, mirror)),
    changed: behind.changed,
    flush: behind.flush,
  }
}
