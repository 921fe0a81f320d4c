// A session's policy is fixed at its first event: an agent that changes directory stays under it, also when the daemon is started anew.

export interface SessionRoots {
  /** The directory that was given first for this session. */
  fix(agentKind: string, session: string, directory: string): string | Promise<string>
}

const MOST_SESSIONS = 10_000

export function createSessionRoots(rootOf: (agentKind: string, session: string) => Promise<string | null>): SessionRoots {
  const roots = new Map<string, string>()
  return {
    fix(agentKind, session, directory) {
      const key = `${agentKind} ${session}`
      const known = roots.get(key)
      return known ?? find(key, agentKind, session, directory)
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
