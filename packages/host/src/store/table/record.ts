// Smaller records: policies that were good, what hooks cost, tool calls that must not run twice.
import type { Generated } from 'kysely'

export interface PolicyTable {
  hash: string
  file: string
  text: string
  first_seen: string
}

export interface HookStatsTable {
  hook: string
  /** Day in UTC. */
  day: string
  runs: number
  failures: number
  over_budget: number
  /** JSON: a histogram of milliseconds. */
  durations: string
}

export interface ToolCallTable {
  idempotency_key: string
  run_id: string
  tool_name: string
  side_effect_class: 'external' | 'memory' | 'local' | 'read_only'
  replay_policy: 'REPLAY_EXACT' | 'REPLAY_IDEMPOTENT' | 'RELAUNCH'
  rule_id: string | null
  status: 'prepared' | 'running' | 'succeeded' | 'failed' | 'abandoned'
  attempt: Generated<number>
  request_seq: number | null
  response_seq: number | null
  receipt: string | null
  external_correlation_id: string | null
  created_at: string
}
