// What the daemon knows of agents, sessions and active efforts, in memory: an event of a known agent reads nothing from the database.
// Changes are written behind, many at once; `flush` is for those who need them on disk or want to query. After a restart rows are read when
// they are first asked for.
import type { Store } from '../store/store.ts'
import { type AgentRow, type EffortRow, newAgent, readAgent, readEffort, readSession, type SessionRow } from './work-row.ts'
import { prepareWorkWrites } from './work-write.ts'

export interface WorkRows {
  /** A new agent is made where nobody knows the id. */
  agent(id: string): AgentRow | Promise<AgentRow>
  /** The open session of a window; null where there is none. */
  session(window: Window): SessionRow | null | Promise<SessionRow | null>
  sessionById(id: number): SessionRow | null
  /** Open sessions of an agent that are in memory. */
  sessionsOf(agentId: string): readonly SessionRow[]
  effort(id: number | null): EffortRow | null
  /** The latest active effort of a project. */
  latestEffort(projectRoot: string): EffortRow | null
  /** Agents that name this one in AGENT_MANAGES. */
  coordinatorsOf(id: string): readonly AgentRow[]
  changed(row: AgentRow | SessionRow | EffortRow): void
  opened(session: SessionRow): void
  closed(session: SessionRow): void
  /** The database was changed beside the memory: read it again. */
  reloadEffort(id: number): Promise<EffortRow | null>
  reloadAgent(id: string): Promise<AgentRow>
  flush(): Promise<void>
  close(): Promise<void>
}

/** One context window, as its agent names it. */
export interface Window {
  readonly agentKind: string
  readonly hostSession: string
  readonly subagent: string | null
}

export interface WorkRowsOptions {
  readonly store: Store
  readonly now: () => number
  onFailure(error: unknown): void
}

const FLUSH_MS = 250
const MOST_KEPT = 20_000

export async function openWorkRows({ store, now, onFailure }: WorkRowsOptions): Promise<WorkRows> {
  const agents = new Map<string, AgentRow>()
  const sessions = new Map<string, SessionRow | null>()
  const byId = new Map<number, SessionRow>()
  const efforts = new Map<number, EffortRow>()
  const latest = new Map<string, EffortRow | null>()
  const dirty = new Set<AgentRow | SessionRow | EffortRow>()
  const write = prepareWorkWrites(store)
  let timer: NodeJS.Timeout | null = null

  for (const effort of await readActiveEfforts(store)) efforts.set(effort.id, effort)
  for (const row of await store.db.selectFrom('agents').selectAll().where('manages', '!=', '[]').execute())
    agents.set(row.id, readAgent(row))

  function changed(row: AgentRow | SessionRow | EffortRow): void {
    dirty.add(row)
    timer ??= setTimeout(() => void flush().catch(onFailure), FLUSH_MS).unref()
  }

  async function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (dirty.size === 0) return
    const rows = [...dirty]
    dirty.clear()
    try {
      await store.commit(write(rows))
    } catch (error) {
      // Nothing is lost while the daemon lives: the next flush tries again.
      for (const row of rows) dirty.add(row)
      throw error
    }
  }

  function keepAgent(row: AgentRow): AgentRow {
    const known = agents.get(row.id)
    if (known !== undefined) return known
    forgetOldest(agents, kept => kept.manages.length === 0 && !dirty.has(kept))
    agents.set(row.id, row)
    return row
  }

  function keepSession(key: string, row: SessionRow | null): SessionRow | null {
    forgetOldest(sessions, kept => {
      if (kept !== null && dirty.has(kept)) return false
      if (kept !== null) byId.delete(kept.id)
      return true
    })
    sessions.set(key, row)
    if (row !== null) byId.set(row.id, row)
    return row
  }

  async function readOneAgent(id: string): Promise<AgentRow> {
    const row = await store.db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst()
    return keepAgent(row === undefined ? newAgent(id, now()) : readAgent(row))
  }

  async function readOneSession(window: Window): Promise<SessionRow | null> {
    const row = await store.db
      .selectFrom('sessions')
      .selectAll()
      .where('host_session', '=', window.hostSession)
      .where('agent_kind', '=', window.agentKind)
      .where('subagent', window.subagent === null ? 'is' : '=', window.subagent)
      .where('ended_at', 'is', null)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    const key = keyOf(window)
    return sessions.get(key) ?? keepSession(key, row === undefined ? null : readSession(row))
  }

  return {
    agent: id => agents.get(id) ?? readOneAgent(id),
    session: window => {
      const known = sessions.get(keyOf(window))
      return known === undefined ? readOneSession(window) : known
    },
    sessionById: id => byId.get(id) ?? null,
    sessionsOf: agentId => [...byId.values()].filter(session => session.agentId === agentId),
    effort: id => (id === null ? null : (efforts.get(id) ?? null)),
    latestEffort(root) {
      const known = latest.get(root)
      if (known !== undefined) return known
      const found = [...efforts.values()].filter(effort => effort.projectRoot === root).sort((a, b) => b.id - a.id)[0] ?? null
      if (latest.size >= MOST_KEPT) latest.clear()
      latest.set(root, found)
      return found
    },
    coordinatorsOf: id => [...agents.values()].filter(agent => agent.manages.includes(id)),
    changed,
    opened: session => void keepSession(keyOf(session), session),
    closed(session) {
      dirty.delete(session)
      byId.delete(session.id)
      if (sessions.get(keyOf(session)) === session) sessions.set(keyOf(session), null)
    },
    async reloadEffort(id) {
      latest.clear()
      const [effort] = await readActiveEfforts(store, id)
      if (effort === undefined) efforts.delete(id)
      else efforts.set(id, effort)
      return effort ?? null
    },
    async reloadAgent(id) {
      const row = await store.db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst()
      const known = agents.get(id)
      if (row === undefined) return known ?? keepAgent(newAgent(id, now()))
      return known === undefined ? keepAgent(readAgent(row)) : Object.assign(known, { role: row.role, effortId: row.effort_id })
    },
    flush,
    close: flush,
  }
}

async function readActiveEfforts(store: Store, id?: number): Promise<readonly EffortRow[]> {
  let query = store.db
    .selectFrom('efforts as e')
    .innerJoin('tasks as t', 't.dir_path', 'e.task_id')
    .innerJoin('projects as p', 'p.id', 't.project_id')
    .selectAll('e')
    .select('p.path')
    .where('e.lifecycle', '=', 'active')
  if (id !== undefined) query = query.where('e.id', '=', id)
  return (await query.execute()).map(({ path, ...row }) => readEffort(row, path))
}

function keyOf({ agentKind, hostSession, subagent }: Window): string {
  return `${agentKind}\n${hostSession}\n${subagent ?? ''}`
}

/** Drops the entry that came first and may go, once there are too many. */
function forgetOldest<V>(rows: Map<string, V>, mayGo: (row: V) => boolean): void {
  if (rows.size < MOST_KEPT) return
  for (const [key, row] of rows) {
    if (!mayGo(row)) continue
    rows.delete(key)
    return
  }
}
