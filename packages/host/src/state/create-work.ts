// The state engine as the decision sees it: before the hooks it finds agent, session and effort, after them it changes what the event changed.
// Invariant: what cannot be found is null and stops nobody.

import { basename } from 'node:path'
import type { FireOptions, GuardedCall, HookEvent } from '@belay/core'
import type { StateOf } from '@belay/core/policy'
import { BoundedMap } from '@belay/core/value'
import { sharedText, wholeBody } from '../store/table/form.ts'
import type { Binding } from './agent-binding.ts'
import { EVENT_WORK } from './event/table.ts'
import { readObject } from './state.ts'
import { type Slot, stateFields } from './state-fields.ts'
import { ensureWindow, joinEffort } from './window.ts'
import type { WorkParts } from './work-parts.ts'
import { type AgentRow, newAgent } from './work-row.ts'
import { needsWindow, subagentOf, viewOf, WORK, type WorkCall, type WorkView } from './work-view.ts'

type Metadata = NonNullable<FireOptions['metadata']>

export interface StateWork {
  roleOf(agentId: string): Promise<string | null> | string | null
  bindingOf(secret: string): Binding | null
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
  const slots = createSlots()

  const begin = (view: WorkView): Metadata | Promise<Metadata> => {
    const begun = beginWork(parts, view)
    return begun instanceof Promise ? begun.then(() => keep(view)) : keep(view)
  }
  const keep = (view: WorkView): Metadata => {
    slots.keep(view)
    return new Map<string, unknown>().set(WORK, view)
  }

  return {
    roleOf(agentId) {
      const agent = parts.rows.agent(agentId)
      return agent instanceof Promise ? agent.then(({ role }) => role) : agent.role
    },
    bindingOf: secret => parts.bindings.find(secret),
    rootOf: (agentKind, hostSession) => findRoot(parts, agentKind, hostSession),
    before(call) {
      const view = findView(parts, call, deliveries)
      return view instanceof Promise ? view.then(begin) : begin(view)
    },
    after(metadata, guarded) {
      const view = viewOf(metadata)
      if (view === null) return NOTHING
      view.agent.lastEventAt = parts.now()
      parts.rows.changed(view.agent)
      return endWork(parts, view, guarded)
    },
    stateOf: event => stateFields(event, slots.find(event)),
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

/** Where the latest window of a host's session was opened, else where its first record says it was. */
async function findRoot({ store, onFailure }: WorkParts, agentKind: string, hostSession: string): Promise<string | null> {
  try {
    const row = await store.db
      .selectFrom('sessions')
      .select('project_root')
      .where('host_session', '=', hostSession)
      .where('agent_kind', '=', agentKind)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    return row?.project_root ?? (await findRecordedRoot(store, agentKind, hostSession))
  } catch (error) {
    onFailure(error)
    return null
  }
}

async function findRecordedRoot(store: WorkParts['store'], agentKind: string, hostSession: string): Promise<string | null> {
  const row = await store.db
    .selectFrom('ledger')
    .select(['body', sharedText().as('shared')])
    .where('session', '=', hostSession)
    .orderBy('seq')
    .executeTakeFirst()
  const { agent, root } = row === undefined ? {} : readObject(wholeBody(row))
  return agent === agentKind && typeof root === 'string' ? root : null
}

function findView(parts: WorkParts, call: WorkCall, deliveries: Deliveries): WorkView | Promise<WorkView> {
  const failed = (error: unknown): WorkView => {
    parts.onFailure(error)
    const agent = newAgent(call.agentId, parts.now())
    return { call, agent, session: null, effort: null, exempt: null, fired: [], isRepeat: false, facts: {} }
  }
  try {
    const found = readView(parts, call, deliveries)
    return found instanceof Promise ? found.catch(failed) : found
  } catch (error) {
    return failed(error)
  }
}

function readView(parts: WorkParts, call: WorkCall, deliveries: Deliveries): WorkView | Promise<WorkView> {
  const isRepeat = deliveries.isRepeat(call)
  const agent = parts.rows.agent(call.agentId)
  const session = parts.rows.session(windowOf(parts, call))
  if (isRepeat instanceof Promise || agent instanceof Promise || session instanceof Promise) {
    return Promise.all([isRepeat, agent, session]).then(([repeat, row, open]) =>
      makeView(parts, call, { isRepeat: repeat, agent: row, session: open }),
    )
  }
  return makeView(parts, call, { isRepeat, agent, session })
}

function windowOf({ cleanName }: WorkParts, { event }: WorkCall) {
  return { agentKind: event.agent, hostSession: event.sessionId, subagent: subagentOf(event, cleanName) }
}

function makeView(parts: WorkParts, call: WorkCall, found: Pick<WorkView, 'isRepeat' | 'agent' | 'session'>): WorkView | Promise<WorkView> {
  const { rows } = parts
  const { agent, session, isRepeat } = found
  readFleet(parts, agent, call)
  const effort = rows.effort(agent.effortId) ?? (call.isNamed ? null : rows.latestEffort(call.root))
  const view: WorkView = { call, agent, session, effort, exempt: null, fired: [], isRepeat, facts: {} }
  if (!needsWindow(call.event)) return view
  if (effort !== null) return joinEffort(parts, view, effort)
  if (session !== null) return view
  const window = windowOf(parts, call)
  if (!rows.wasReplaced(window)) return view
  return ensureWindow(parts, view, window.subagent).then(known => Object.assign(view, { session: known }))
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

interface Deliveries {
  isRepeat(call: WorkCall): Promise<boolean> | boolean
}

const MAX_DELIVERIES = 20_000
const FREQUENT = new Set(['PreToolUse', 'PostToolUse'])

/** Ids of this daemon's life are in memory; those of the life before are in the ledger, and worth a look for the rare events. */
function createDeliveries({ store, cleanName }: WorkParts): Deliveries {
  const seen = new BoundedMap<string, true>(MAX_DELIVERIES)
  return {
    isRepeat({ deliveryId, event }) {
      if (deliveryId === null) return false
      if (seen.has(deliveryId)) return true
      seen.set(deliveryId, true)
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

interface Slots {
  keep(view: WorkView): void
  find(event: HookEvent): Slot | null
}

const MAX_SLOTS = 5000

function createSlots(): Slots {
  const slots = new BoundedMap<string, Slot>(MAX_SLOTS)
  const keyOf = (event: HookEvent) => `${event.agent}\n${event.sessionId}\n${event.fields.agentId ?? ''}`
  return {
    keep({ call, session, effort }) {
      const key = keyOf(call.event)
      const known = slots.get(key)
      if (known !== undefined && known.session === session && known.effort === effort) return
      slots.set(key, { session, effort })
    },
    find: event => slots.get(keyOf(event)) ?? null,
  }
}
