// The daemon's side of its team: what the thread that talks to the hub needs to know, and what it brings.
import type { EntryDraft } from '@belay/core/ledger'
import type { FromTeam, ToTeam } from '../team/team-message.ts'
import { watchTeam } from '../team/watch-team.ts'

export interface TeamLinkOptions {
  readonly home: string
  readonly version: string
  append(draft: EntryDraft): Promise<unknown>
  warn(message: string): void
}

export interface TeamLink {
  stop(): Promise<void>
}

export interface ComparedCounter {
  /** A call was judged by two bundles. */
  count(version: number, isNewDeny: boolean): void
  /** What was counted since this was asked last. */
  take(): readonly { readonly version: number; readonly calls: number; readonly newDenies: number }[]
}

const TELL_MS = 250
const ACTOR = 'system:team'

export function createComparedCounter(): ComparedCounter {
  let counts = new Map<number, { calls: number; newDenies: number }>()
  return {
    count(version, isNewDeny) {
      const sum = counts.get(version) ?? { calls: 0, newDenies: 0 }
      counts.set(version, { calls: sum.calls + 1, newDenies: sum.newDenies + (isNewDeny ? 1 : 0) })
    },
    take() {
      const taken = [...counts].map(([version, sum]) => ({ version, ...sum }))
      if (taken.length > 0) counts = new Map()
      return taken
    },
  }
}

export function openTeamLink({ home, version, append, warn }: TeamLinkOptions, counter: ComparedCounter): TeamLink {
  const hear = ({ entry }: FromTeam): void => {
    append({ actor: ACTOR, session: null, policy: null, ...entry }).catch(error => warn(`the ledger took no entry of the team: ${error}`))
  }
  const watched = watchTeam({ home, version, onProblem: warn, hear })
  const tell = (message: ToTeam): void => watched.tell(message)
  const timer = setInterval(() => {
    for (const count of counter.take()) tell({ kind: 'compared', count })
  }, TELL_MS).unref()
  return {
    stop: () => {
      clearInterval(timer)
      return watched.stop()
    },
  }
}
