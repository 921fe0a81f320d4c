// The rows of the work as the daemon holds them in memory. It is the only writer, so what stands here is the truth; the database follows.
import { isObject } from '@belay/core/value'
import type { Selectable } from 'kysely'
import type { AgentStatus, AgentTable, EffortTable, SessionTable } from '../store/table/work.ts'
import { readList, readObject } from './state.ts'

export interface AgentRow {
  readonly id: string
  /** What people call it. */
  label: string | null
  role: string | null
  parent: string | null
  manages: readonly string[]
  /** The kinds of work it takes anywhere, and those it takes in one place only (`docs@packages/web`). */
  claims: readonly string[]
  targetedClaims: readonly string[]
  effortId: number | null
  status: AgentStatus
  statusReason: string | null
  /** Milliseconds since the epoch. */
  lastEventAt: number
}

/** Text on its way to the model; a path stands in where the text does not fit. `taken`: its effort goes on elsewhere; the next call is denied. */
export interface Injection {
  readonly kind: 'directive' | 'signal' | 'note' | 'taken'
  readonly text: string
  readonly path: string | null
}

export interface SessionRow {
  readonly id: number
  readonly agentId: string
  readonly agentKind: string
  readonly hostSession: string
  readonly subagent: string | null
  readonly previousId: number | null
  readonly createdAt: string
  effortId: number | null
  heartbeat: number
  interval: number
  lastHeartbeat: number
  contextUsage: number | null
  contextWindow: number | null
  cost: number | null
  readonly loadedFiles: Set<string>
  preloadedFiles: readonly string[]
  /** Path -> hash of the directives that this window was given. */
  readonly directives: Map<string, string>
  /** The session whose hand-over it was given and has not used yet. */
  receivedFrom: number | null
  injections: readonly Injection[]
  transcriptPath: string | null
  transcriptOffset: number
  lastEdited: string | null
}

export interface EffortRow {
  readonly id: number
  readonly taskDir: string
  readonly projectRoot: string
  readonly skill: string
  readonly mode: string | null
  readonly ordinal: number
  phase: string | null
  /** Directory -> file name -> hash of what was found. */
  readonly directives: Map<string, Map<string, string>>
  metadata: Readonly<Record<string, unknown>>
}

export function readSession(row: Selectable<SessionTable>): SessionRow {
  return {
    id: row.id,
    agentId: row.agent_id,
    agentKind: row.agent_kind,
    hostSession: row.host_session,
    subagent: row.subagent,
    previousId: row.prev_session_id,
    createdAt: row.created_at,
    effortId: row.effort_id,
    heartbeat: row.heartbeat_counter,
    interval: row.heartbeat_interval,
    lastHeartbeat: Date.parse(row.last_heartbeat),
    contextUsage: row.context_usage,
    contextWindow: row.context_window,
    cost: row.cost,
    loadedFiles: new Set(readList(row.loaded_files)),
    preloadedFiles: readList(row.preloaded_files),
    directives: new Map(Object.entries(readObject(row.directives)).map(([path, hash]) => [path, String(hash)])),
    receivedFrom: row.received_from,
    injections: readInjections(row.pending_injections),
    transcriptPath: row.transcript_path,
    transcriptOffset: row.transcript_offset,
    lastEdited: row.last_edited,
  }
}

/** Somebody nobody has heard of before. */
export function newAgent(id: string, now: number): AgentRow {
  return {
    id,
    label: null,
    role: null,
    parent: null,
    manages: [],
    claims: [],
    targetedClaims: [],
    effortId: null,
    status: 'done',
    statusReason: null,
    lastEventAt: now,
  }
}

export function readAgent(row: Selectable<AgentTable>): AgentRow {
  return {
    id: row.id,
    label: row.label,
    role: row.role,
    parent: row.parent,
    manages: readList(row.manages),
    claims: readList(row.claims),
    targetedClaims: readList(row.targeted_claims),
    effortId: row.effort_id,
    status: row.status,
    statusReason: row.status_reason,
    lastEventAt: Date.parse(row.last_event_at),
  }
}

export function readEffort(row: Selectable<EffortTable>, projectRoot: string): EffortRow {
  return {
    id: row.id,
    taskDir: row.task_id,
    projectRoot,
    skill: row.skill,
    mode: row.mode,
    ordinal: row.ordinal,
    phase: row.current_phase,
    directives: readDirectives(row.discovered_directives),
    metadata: readObject(row.metadata),
  }
}

export function writeDirectives(directives: EffortRow['directives']): string {
  return JSON.stringify(Object.fromEntries([...directives].map(([directory, files]) => [directory, Object.fromEntries(files)])))
}

function readDirectives(json: string): EffortRow['directives'] {
  return new Map(
    Object.entries(readObject(json)).map(([directory, files]) => [
      directory,
      new Map(Object.entries(isObject(files) ? files : {}).map(([name, hash]) => [name, String(hash)])),
    ]),
  )
}

export function readInjections(json: string): readonly Injection[] {
  const { list } = readObject(`{"list":${json === '' ? '[]' : json}}`)
  return Array.isArray(list) ? list.flatMap(readInjection) : []
}

/** A text alone is a note. */
function readInjection(value: unknown): readonly Injection[] {
  if (typeof value === 'string') return [{ kind: 'note', text: value, path: null }]
  if (!isObject(value) || typeof value.text !== 'string') return []
  const { kind, text, path } = value
  const isKnown = kind === 'directive' || kind === 'signal' || kind === 'taken'
  return [{ kind: isKnown ? kind : 'note', text, path: typeof path === 'string' ? path : null }]
}
