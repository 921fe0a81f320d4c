// A session's policy is fixed at its first event: an agent that changes directory stays under it, also when the daemon is started anew.

export interface SessionRoots {
  /** The directory that was given first for this session. */
  fix(agentKind: string, session: string, directory: string): string | Promise<string>
}

const MOST_SESSIONS = 10_000

export function createSessionRoots(rootOf: (agentKind: string, session: string) => Promise<string | null>): SessionRoots {
  const roots = new Map<string, string>()
  /** Of the last call: an agent mostly makes several, one after the other. */
  let last = { agentKind: '', session: '', root: '' }
  return {
    fix(agentKind, session, directory) {
      if (last.session === session && last.agentKind === agentKind) return last.root
      const key = `${agentKind} ${session}`
      const root = roots.get(key)
      if (root === undefined) return find(key, agentKind, session, directory)
      last = { agentKind, session, root }
      return root
    },
  }

  async function find(key: string, agentKind: string, session: string, directory: string): Promise<string> {
    const before = await rootOf(agentKind, session)
    // Another event of the session may have come first meanwhile.
    const root = roots.get(key) ?? before ?? directory
    if (roots.size >= MOST_SESSIONS) roots.delete(roots.keys().next().value ?? '')
    roots.set(key, root)
    return root
  }
}
