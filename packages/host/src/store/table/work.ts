// Rows about the work (migration 0002): who does what, in which directory, with which context window. JSON columns are text.
import type { Generated } from 'kysely'

export interface ProjectTable {
  id: Generated<number>
  path: string
  name: string
  created_at: string
}

export interface SkillTable {
  id: Generated<number>
  project_id: number
  name: string
  version: string | null
  description: Generated<string>
  phases: Generated<string>
  modes: Generated<string>
  templates: Generated<string>
  next_skills: Generated<string>
  directives: Generated<string>
  cmd_dependencies: Generated<string>
  keywords: Generated<string>
}

export interface TaskTable {
  dir_path: string
  project_id: number
  workspace: string | null
  title: string
  description: Generated<string>
  keywords: Generated<string>
  created_at: string
}

export interface EffortTable {
  id: Generated<number>
  task_id: string
  skill: string
  mode: string | null
  ordinal: number
  lifecycle: 'active' | 'finished'
  current_phase: string | null
  /** Directory -> names and hashes of the directives that were found for it. */
  discovered_directives: Generated<string>
  metadata: Generated<string>
  created_at: string
  finished_at: string | null
}

export interface PhaseHistoryTable {
  id: Generated<number>
  effort_id: number
  phase_label: string
  proof: string | null
  created_at: string
}

export type AgentStatus = 'error' | 'attention' | 'working' | 'checked' | 'done'

export interface AgentTable {
  id: string
  label: string | null
  role: string | null
  claims: Generated<string>
  targeted_claims: Generated<string>
  manages: Generated<string>
  parent: string | null
  effort_id: number | null
  status: AgentStatus
  status_reason: string | null
  last_event_at: string
}

/** Roles that people gave agents. */
export interface AgentSecretTable {
  /** SHA-256 of the secret, in hexadecimal. */
  hash: string
  agent_id: string
  role: string
  created_at: string
}

export interface SessionTable {
  id: Generated<number>
  effort_id: number | null
  agent_id: string
  prev_session_id: number | null
  /** The agent's own session id. */
  host_session: string
  /** Set for a sub-agent's session: the host's id of the sub-agent. */
  subagent: string | null
  /** Which agent it is: `claude-code`, `codex` ... */
  agent_kind: string
  project_root: string
  heartbeat_counter: Generated<number>
  heartbeat_interval: Generated<number>
  last_heartbeat: string
  context_usage: number | null
  context_window: number | null
  cost: number | null
  loaded_files: Generated<string>
  preloaded_files: Generated<string>
  pending_injections: Generated<string>
  dehydration_payload: string | null
  /** When it left a hand-over that no window has used yet. */
  handed_over_at: string | null
  /** The session whose hand-over this one was given and has not used yet. */
  received_from: number | null
  /** Path -> hash of the directives that this window was given. */
  directives: Generated<string>
  transcript_path: string | null
  transcript_offset: Generated<number>
  /** The file of the last edit: consecutive edits of one file count as one tool call. */
  last_edited: string | null
  created_at: string
  ended_at: string | null
}

export interface MessageTable {
  id: Generated<number>
  session_id: number
  role: string
  content: string
  tool_name: string | null
  created_at: string
}

export interface FleetStatusView {
  agent: string
  label: string | null
  role: string | null
  status: AgentStatus
  status_reason: string | null
  last_event_at: string
  effort_id: number | null
  task: string | null
  skill: string | null
  phase: string | null
  session_id: number | null
  agent_kind: string | null
  project_root: string | null
  heartbeat: number | null
  heartbeat_interval: number | null
  context: number | null
  last_heartbeat: string | null
  /** Open approvals of the agent. */
  waiting: number
}

export interface TaskSummaryView {
  dir_path: string
  project_id: number
  title: string
  efforts: number
  state: 'active' | 'dormant'
}
