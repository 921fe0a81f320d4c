// The statements that write changed rows behind. Prepared once; an agent's status is written only here, so that a person's look is not undone
// by an older event.
import type { PreparedWrite, Store, Write } from '../store/store.ts'
import { timeText } from './state.ts'
import { type AgentRow, type EffortRow, type SessionRow, writeDirectives } from './work-row.ts'

export function prepareWorkWrites(store: Store): (rows: readonly (AgentRow | SessionRow | EffortRow)[]) => readonly Write[] {
  const agent = prepareAgent(store)
  const session = prepareSession(store)
  const effort = prepareEffort(store)
  return rows => {
    const agents: Write[] = []
    const others: Write[] = []
    for (const row of rows) {
      if ('manages' in row) agents.push({ statement: agent, parameters: agentValues(row) })
      else if ('heartbeat' in row) others.push({ statement: session, parameters: sessionValues(row) })
      else others.push({ statement: effort, parameters: [writeDirectives(row.directives), JSON.stringify(row.metadata), row.id] })
    }
    return [...agents, ...others]
  }
}

function prepareAgent(store: Store): PreparedWrite {
  return store.prepareWrite(
    store.db
      .insertInto('agents')
      .values({
        id: '',
        label: null,
        role: null,
        effort_id: null,
        parent: '',
        manages: '',
        claims: '',
        targeted_claims: '',
        status: 'done',
        status_reason: '',
        last_event_at: '',
      })
      .onConflict(conflict =>
        conflict.column('id').doUpdateSet(({ ref }) => ({
          label: ref('excluded.label'),
          parent: ref('excluded.parent'),
          manages: ref('excluded.manages'),
          claims: ref('excluded.claims'),
          targeted_claims: ref('excluded.targeted_claims'),
          status: ref('excluded.status'),
          status_reason: ref('excluded.status_reason'),
          last_event_at: ref('excluded.last_event_at'),
        })),
      ),
  )
}

function agentValues(row: AgentRow) {
  return [
    row.id,
    row.label,
    null,
    null,
    row.parent,
    JSON.stringify(row.manages),
    JSON.stringify(row.claims),
    JSON.stringify(row.targetedClaims),
    row.status,
    row.statusReason,
    timeText(row.lastEventAt),
  ]
}

function prepareSession(store: Store): PreparedWrite {
  return store.prepareWrite(
    store.db
      .updateTable('sessions')
      .set({
        effort_id: 0,
        heartbeat_counter: 0,
        heartbeat_interval: 0,
        last_heartbeat: '',
        context_usage: 0,
        context_window: 0,
        cost: 0,
        loaded_files: '',
        preloaded_files: '',
        directives: '',
        received_from: 0,
        pending_injections: '',
        transcript_path: '',
        transcript_offset: 0,
        last_edited: '',
      })
      .where('id', '=', 0),
  )
}

function sessionValues(row: SessionRow) {
  return [
    row.effortId,
    row.heartbeat,
    row.interval,
    timeText(row.lastHeartbeat),
    row.contextUsage,
    row.contextWindow,
    row.cost,
    JSON.stringify([...row.loadedFiles]),
    JSON.stringify(row.preloadedFiles),
    JSON.stringify(Object.fromEntries(row.directives)),
    row.receivedFrom,
    JSON.stringify(row.injections),
    row.transcriptPath,
    row.transcriptOffset,
    row.lastEdited,
    row.id,
  ]
}

function prepareEffort(store: Store): PreparedWrite {
  return store.prepareWrite(store.db.updateTable('efforts').set({ discovered_directives: '', metadata: '' }).where('id', '=', 0))
}
