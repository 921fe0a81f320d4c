// The sessions of one agent in the order work went through them: each row is one chain of windows, linked by what was handed over;
// sub-agents stand under the window in which they began.
import type { SessionView } from '#page/fleet.ts'

export interface ChainLink {
  readonly session: SessionView
  readonly subagents: readonly SessionView[]
  /** It began with what the one before handed over. */
  readonly isContinued: boolean
}

export type Chain = readonly ChainLink[]

/** `sessions` oldest first; so is the result, within a chain and among them. */
export function chainsOf(sessions: readonly SessionView[]): readonly Chain[] {
  const windows = sessions.filter(({ subagent }) => subagent === null)
  const helpers = sessions.filter(({ subagent }) => subagent !== null)
  const chains: ChainLink[][] = []
  const place = new Map<number, ChainLink[]>()
  for (const session of windows) {
    const before = session.previous === null ? undefined : place.get(session.previous)
    const chain = before ?? []
    if (before === undefined) chains.push(chain)
    chain.push({ session, subagents: helpers.filter(helper => ownerOf(helper, windows) === session), isContinued: before !== undefined })
    place.set(session.id, chain)
  }
  return chains
}

/** The last window that had begun. */
function ownerOf(helper: SessionView, windows: readonly SessionView[]): SessionView | undefined {
  return windows.findLast(({ startedAt }) => startedAt <= helper.startedAt) ?? windows[0]
}
