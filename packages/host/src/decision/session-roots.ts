// A session's policy is fixed at its first event: an agent that changes directory stays under it, also when the daemon is started anew.
import { BoundedMap } from '@belay/core/value'
import type { RootMirror } from './root-mirror.ts'

export interface SessionRoots {
  /** The directory that was given first for this session. */
  fix(agentKind: string, session: string, directory: string): string | Promise<string>
}

const MAX_SESSIONS = 10_000

export interface SessionRootOptions {
  /** Of a life of the daemon before. */
  rootOf(agentKind: string, session: string): Promise<string | null>
  /** Also for clients that are alone. */
  readonly mirror: RootMirror
}

export function createSessionRoots({ rootOf, mirror }: SessionRootOptions): SessionRoots {
  const roots = new BoundedMap<string, string>(MAX_SESSIONS)
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
    const before = mirror.find(agentKind, session) ?? (await rootOf(agentKind, session))
    // Another event of the session may have come first meanwhile.
    const root = roots.get(key) ?? before ?? directory
    mirror.keep(agentKind, session, root)
    roots.set(key, root)
    return root
  }
}
