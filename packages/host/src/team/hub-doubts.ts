// What this machine cannot explain but by a hub that lost something or lies. It is on record, and `belay team status` says the last.
import type { TeamEntry } from './team-message.ts'

export interface Doubt {
  readonly at: string
  readonly why: string
}

export interface HubDoubts {
  /** The same again is one. */
  add(why: string): void
  last(): Doubt | null
}

export function createHubDoubts(record: (entry: TeamEntry) => void): HubDoubts {
  let last: Doubt | null = null
  return {
    add: why => {
      if (last?.why === why) return
      last = { at: new Date().toISOString(), why }
      record({ kind: 'hub_doubted', body: { why } })
    },
    last: () => last,
  }
}
