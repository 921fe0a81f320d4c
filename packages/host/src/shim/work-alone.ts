// The work around a call, for a client that is alone: the effort and the window as the daemon knew them, and what has happened since, which
// waits in the spool. Counted by the same rules as in the daemon.

import { readSpool } from '../decision/spool.ts'
import { readSpooledCall } from '../decision/spooled-call.ts'
import { intervalOf, isProgress, noteBegun, refreshUsage } from '../state/call-count.ts'
import { findLatestEffort } from '../state/effort-rows.ts'
import type { KnownWork } from '../state/row-mirror.ts'
import type { WorkParts } from '../state/work-parts.ts'
import { type EffortRow, newAgent, type SessionRow } from '../state/work-row.ts'
import { needsWindow, subagentOf, type WorkCall, type WorkView } from '../state/work-view.ts'

export type AloneParts = Pick<WorkParts, 'belayHome' | 'userHome' | 'contextWindowOf' | 'cleanName'> & {
  /** Folder of what waits for the daemon. */
  readonly spool: string
}

/** Far more than any heartbeat counts. */
const MAX_LOOKED_AT = 500

export async function viewAlone(parts: AloneParts, known: KnownWork, call: WorkCall): Promise<WorkView> {
  const agent = { ...newAgent(call.agentId, Date.now()), effortId: known.agents[call.agentId] ?? null }
  const own = known.efforts.find(({ id }) => id === agent.effortId) ?? null
  const effort = own ?? (call.isNamed ? null : findLatestEffort(known.efforts, call.root))
  const view: WorkView = { call, agent, session: null, effort, exempt: null, fired: [], isRepeat: false, facts: {} }
  if (effort === null || !needsWindow(call.event)) return view
  const session = findWindow(parts, known, view, effort)
  view.session = session
  countSpooled(parts, view, session)
  if (call.event.name !== 'PreToolUse') return view
  noteBegun(parts, view, session)
  await refreshUsage(parts, view, session)
  return view
}

function findWindow({ cleanName }: AloneParts, { sessions }: KnownWork, view: WorkView, effort: EffortRow): SessionRow {
  const { event, agentId } = view.call
  const subagent = subagentOf(event, cleanName)
  const isIt = (each: SessionRow) => each.agentKind === event.agent && each.hostSession === event.sessionId && each.subagent === subagent
  const found = sessions.find(isIt)
  if (found?.effortId === effort.id) return found
  const begun = { id: 0, agentId, agentKind: event.agent, hostSession: event.sessionId, subagent, previousId: null }
  const nothingYet = { heartbeat: 0, lastHeartbeat: 0, contextUsage: null, contextWindow: null, cost: null, lastEdited: null }
  const nothingGiven = { preloadedFiles: [], directives: new Map<string, string>(), receivedFrom: null, injections: [] }
  const nothingRead = { loadedFiles: new Set<string>(), transcriptPath: null, transcriptOffset: 0 }
  const createdAt = new Date().toISOString()
  return {
    ...nothingYet,
    ...nothingGiven,
    ...nothingRead,
    ...begun,
    createdAt,
    ...found,
    effortId: effort.id,
    interval: intervalOf({ effort }),
    heartbeat: 0,
  }
}

/** What happened in this window since the daemon was away. */
function countSpooled(parts: AloneParts, view: WorkView, session: SessionRow): void {
  for (const { draft, call } of readSpool(parts.spool, MAX_LOOKED_AT)) {
    if (draft.session !== session.hostSession || call === undefined) continue
    const past = readSpooledCall(draft, call)?.workCall
    if (past?.event.agent !== session.agentKind || subagentOf(past.event, parts.cleanName) !== session.subagent) continue
    const then: WorkView = { ...view, call: past, exempt: null, facts: {} }
    if (past.event.name === 'PreToolUse') noteBegun(parts, then, session)
    const isOver = past.event.name === 'SessionStart' || (past.event.name === 'PostToolUse' && isProgress(then))
    if (isOver) Object.assign(session, { heartbeat: 0, lastEdited: null })
  }
}
