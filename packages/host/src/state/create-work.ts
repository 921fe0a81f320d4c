// The state engine as the decision sees it: before the hooks it finds agent, session and effort, after them it changes what the event changed.
// Invariant: what cannot be found is null and stops nobody.
import { basename } from 'node:path'
import type { FireOptions, GuardedCall, HookEvent } from '@belay/core'
import type { StateOf } from '@belay/core/policy'
import { EVENT_WORK } from './event/table.ts'
import { whenReady } from './when-ready.ts'
import { ensureWindow, intervalOf } from './window.ts'
import type { WorkParts } from './work-parts.ts'
import { type AgentRow, type EffortRow, newAgent } from './work-row.ts'
import { subagentOf, viewOf, WORK, type WorkCall, type WorkView } from './work-view.ts'

type Metadata = NonNullable<FireOptions['metadata']>

export interface StateWork {
  roleOf(agentId: string): Promise<string | null> | string | null
  rootOf(agentKind: string, hostSession: string): Promise<string | null>
  /** No promise where everything is in memory; nor has `after`. */
  before(call: WorkCall): Metadata | Promise<Metadata>
  /** `metadata` is what `before` gave. */
  after(metadata: FireOptions['metadata'], guarded: GuardedCall): readonly string[] | Promise<readonly string[]>
  /** What conditions may read of the work around an event. */
  readonly stateOf: StateOf
}

export function createWork(parts: WorkParts): StateWork {
  const deliveries = createDeliveries(parts)
  const seats = createSeats()

  return {
    roleOf(agentId) {
      const agent = parts.rows.agent(agentId)
      return agent instanceof Promise ? agent.then(({ role }) => role) : agent.role
    },
    rootOf: (agentKind, hostSession) => findRoot(parts, agentKind, hostSession),
    before(call) {
      return whenReady(findView(parts, call, deliveries), view =>
        whenReady(beginWork(parts, view), () => {
          seats.keep(view)
          return new Map<string, unknown>().set(WORK, view)
        }),
      )
    },
    after(metadata, guarded) {
      const view = viewOf(metadata)
      if (view === null) return NOTHING
      view.agent.lastEventAt = parts.now()
      parts.rows.changed(view.agent)
      return endWork(parts, view, guarded)
    },
    stateOf: event => stateFields(event, seats.find(event)),
  }
}

const NOTHING: readonly string[] = []

function beginWork(parts: WorkParts, view: WorkView): void | Promise<void> {
  try {
    const begun = EVENT_WORK.get(view.call.event.name)?.before?.(parts, view)
    return begun instanceof Promise ? begun.catch(parts.onFailure) : undefined
  } catch (error) {
    parts.onFailure(error)
  }
}

function endWork(parts: WorkParts, view: WorkView, guarded: GuardedCall): readonly string[] | Promise<readonly string[]> {
  const failed = (error: unknown): readonly string[] => {
    parts.onFailure(error)
    return NOTHING
  }
  try {
    const added = EVENT_WORK.get(view.call.event.name)?.after?.(parts, view, guarded) ?? NOTHING
    return added instanceof Promise ? added.catch(failed) : added
  } catch (error) {
    return failed(error)
  }
}

/** Where the latest window of a host's session was opened. */
async function findRoot({ store, onFailure }: WorkParts, agentKind: string, hostSession: string): Promise<string | null> {
  try {
    const row = await store.db
      .selectFrom('sessions')
      .select('project_root')
      .where('host_session', '=', hostSession)
      .where('agent_kind', '=', agentKind)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    return row?.project_root ?? null
  } catch (error) {
    onFailure(error)
    return null
  }
}

function findView(parts: WorkParts, call: WorkCall, deliveries: Deliveries): WorkView | Promise<WorkView> {
  const failed = (error: unknown): WorkView => {
    parts.onFailure(error)
    const agent = newAgent(call.agentId, parts.now())
    return { call, agent, session: null, effort: null, exempt: null, fired: [], isRepeat: false, facts: {} }
  }
  try {
    const found = whenReady(deliveries.isRepeat(call), isRepeat => readView(parts, call, isRepeat))
    return found instanceof Promise ? found.catch(failed) : found
  } catch (error) {
    return failed(error)
  }
}

function readView(parts: WorkParts, call: WorkCall, isRepeat: boolean): WorkView | Promise<WorkView> {
  const { rows } = parts
  const { event } = call
  const window = { agentKind: event.agent, hostSession: event.sessionId, subagent: subagentOf(event, parts.cleanName) }
  return whenReady(rows.agent(call.agentId), agent => {
    readFleet(parts, agent, call)
    const effort = rows.effort(agent.effortId) ?? (call.isNamed ? null : rows.latestEffort(call.root))
    return whenReady(rows.session(window), session => {
      const view: WorkView = { call, agent, session, effort, exempt: null, fired: [], isRepeat, facts: {} }
      return effort !== null && needsWindow(event) ? joinEffort(parts, view, effort) : view
    })
  })
}

/** The variables of the hook process name the fleet around the agent; one that has no name is called by what it is and where it works. */
function readFleet({ cleanName }: WorkParts, agent: AgentRow, { env, isNamed, event, root }: WorkCall): void {
  const { AGENT_PARENT: parent, AGENT_MANAGES: manages, AGENT_CLAIMS: claims } = env
  if (parent !== undefined && parent !== '') agent.parent = cleanName(parent)
  if (manages !== undefined && manages !== agent.manages.join(',')) agent.manages = splitList(manages).map(cleanName)
  if (claims !== undefined && claims !== [...agent.claims, ...agent.targetedClaims].join(',')) {
    const all = splitList(claims).map(cleanName)
    agent.claims = all.filter(claim => !claim.includes('@'))
    agent.targetedClaims = all.filter(claim => claim.includes('@'))
  }
  if (!isNamed) agent.label ??= `${event.agent} in ${basename(root) || root}`
}

function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
}

/** These make or end windows themselves, or say nothing of one. */
const WITHOUT_WINDOW = new Set(['SessionStart', 'SessionEnd', 'SubagentStart', 'SubagentStop', 'PreCompact', 'ConfigChange', 'Setup'])

function needsWindow({ name }: HookEvent): boolean {
  return !WITHOUT_WINDOW.has(name)
}

/** An effort that began inside a session, or a session whose start nobody saw: from here on they belong together. */
function joinEffort(parts: WorkParts, view: WorkView, effort: EffortRow): WorkView | Promise<WorkView> {
  const window = view.session ?? ensureWindow(parts, view, subagentOf(view.call.event, parts.cleanName))
  return whenReady(window, session => {
    view.session = session
    if (session.effortId !== effort.id) {
      Object.assign(session, { effortId: effort.id, interval: intervalOf(view), heartbeat: 0, lastEdited: null })
      parts.rows.changed(session)
    }
    return view
  })
}

interface Deliveries {
  isRepeat(call: WorkCall): Promise<boolean> | boolean
}

const MOST_DELIVERIES = 20_000
const FREQUENT = new Set(['PreToolUse', 'PostToolUse'])

/** Ids of this daemon's life are in memory; those of the life before are in the ledger, and worth a look for the rare events. */
function createDeliveries({ store, cleanName }: WorkParts): Deliveries {
  const seen = new Set<string>()
  return {
    isRepeat({ deliveryId, event }) {
      if (deliveryId === null) return false
      if (seen.has(deliveryId)) return true
      if (seen.size >= MOST_DELIVERIES) seen.delete(seen.values().next().value ?? '')
      seen.add(deliveryId)
      if (FREQUENT.has(event.name)) return false
      return store.db
        .selectFrom('deliveries')
        .select('seq')
        .where('event_id', '=', cleanName(deliveryId))
        .executeTakeFirst()
        .then(row => row !== undefined)
    },
  }
}

interface Seats {
  keep(view: WorkView): void
  find(event: HookEvent): Seat | null
}

/** Where the last event of a window happened. Rows only: payloads can be large. */
type Seat = Pick<WorkView, 'session' | 'effort'>

const MOST_SEATS = 5000

function createSeats(): Seats {
  const seats = new Map<string, Seat>()
  const keyOf = (event: HookEvent) => `${event.agent}\n${event.sessionId}\n${event.fields.agentId ?? ''}`
  return {
    keep({ call, session, effort }) {
      const key = keyOf(call.event)
      const known = seats.get(key)
      if (known !== undefined && known.session === session && known.effort === effort) return
      if (seats.size >= MOST_SEATS && known === undefined) seats.delete(seats.keys().next().value ?? '')
      seats.set(key, { session, effort })
    },
    find: event => seats.get(keyOf(event)) ?? null,
  }
}

function stateFields(event: HookEvent, seat: Seat | null): ReturnType<StateOf> {
  if (seat === null) return {}
  const { session, effort } = seat
  return {
    session: {
      id: event.sessionId,
      agent: event.agent,
      heartbeat: session?.heartbeat,
      context_usage: session?.contextUsage,
      started_at: session?.createdAt,
    },
    effort:
      effort === null ? null : { id: String(effort.id), skill: effort.skill, mode: effort.mode, phase: effort.phase, lifecycle: 'active' },
    task: effort === null ? null : { dir: effort.taskDir },
  }
}
