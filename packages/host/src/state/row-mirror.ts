// Active efforts and the windows in them, for the client when it is alone: what heartbeat, overflow and guards act on. Written at once where an
// effort begins, ends or changes and where a window reaches a limit; else a moment later with the rows themselves, like them not before the
// answer: a few counted calls are what a killed daemon can lose.
import { readMirror, writeMirror } from '../config/mirror-file.ts'
import type { Store } from '../store/store.ts'
import { type AgentRow, type EffortRow, readSession, type SessionRow } from './work-row.ts'

export interface MirrorOptions {
  readonly home: string
  onFailure(error: unknown): void
}

export interface RowMirror {
  changed(row: AgentRow | SessionRow | EffortRow): void
  /** Label, role or effort of an agent were read again. */
  reloaded(agent: AgentRow): void
  setEfforts(efforts: readonly EffortRow[]): void
  closed(session: SessionRow): void
  /** Writes what has changed since. */
  flush(): void
}

export const NO_MIRROR: RowMirror = {
  changed: () => undefined,
  reloaded: () => undefined,
  setEfforts: () => undefined,
  closed: () => undefined,
  flush: () => undefined,
}

export interface KnownWork {
  readonly agents: Readonly<Record<string, number>>
  readonly efforts: readonly EffortRow[]
  readonly sessions: readonly SessionRow[]
}

const NAME = 'work'
/** As in work-hooks.ts. */
const FULL = 0.9

export async function openRowMirror(store: Store, { home, onFailure }: MirrorOptions): Promise<RowMirror> {
  const agents = new Map<string, number>()
  const sessions = new Map<number, SessionRow>()
  /** Windows that have reached a limit. */
  const limited = new Set<number>()
  let efforts: readonly EffortRow[] = []
  let last = ''
  const owners = await store.db.selectFrom('agents').select(['id', 'effort_id']).where('effort_id', 'is not', null).execute()
  for (const { id, effort_id } of owners) if (effort_id !== null) agents.set(id, effort_id)
  const open = store.db.selectFrom('sessions').selectAll().where('ended_at', 'is', null).where('effort_id', 'is not', null)
  for (const row of await open.execute()) sessions.set(row.id, readSession(row))

  function flush(): void {
    const value = {
      agents: Object.fromEntries(agents),
      efforts: efforts.map(({ directives, ...effort }) => effort),
      sessions: [...sessions.values()].map(({ loadedFiles, directives, injections, ...session }) => session),
    }
    const text = JSON.stringify(value)
    if (text === last) return
    const why = writeMirror(home, NAME, value)
    last = why === null ? text : ''
    if (why !== null) onFailure(new Error(`clients cannot know the work of agents while the daemon is away: ${why}`))
  }

  return {
    flush,
    changed(row) {
      if (!('heartbeat' in row)) return
      if (row.effortId === null) {
        sessions.delete(row.id)
        return
      }
      sessions.set(row.id, row)
      const isLimited = row.heartbeat >= row.interval || (row.contextUsage ?? 0) >= FULL
      if (isLimited === limited.has(row.id)) return
      if (isLimited) limited.add(row.id)
      else limited.delete(row.id)
      flush()
    },
    reloaded({ id, effortId }) {
      if (effortId === null) agents.delete(id)
      else agents.set(id, effortId)
      flush()
    },
    setEfforts(active) {
      efforts = active
      flush()
    },
    closed({ id }) {
      sessions.delete(id)
      limited.delete(id)
    },
  }
}

/** A text: why it cannot be known; null: no daemon has ever kept any. */
export function readWork(home: string): KnownWork | string | null {
  const read = readMirror(home, NAME)
  if (read.kind === 'missing') return null
  if (read.kind === 'damaged') return read.why
  // Sealed: this is what `flush` wrote.
  const { agents, efforts, sessions } = read.value as unknown as KnownWork
  return {
    agents,
    efforts: efforts.map(effort => ({ ...effort, directives: new Map() })),
    sessions: sessions.map(session => ({ ...session, loadedFiles: new Set<string>(), directives: new Map(), injections: [] })),
  }
}
