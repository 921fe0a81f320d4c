import type { ApprovalTable } from './approval.ts'
import type { BlobTable } from './blob.ts'
import type { CheckpointTable } from './checkpoint.ts'
import type { DeliveryTable } from './delivery.ts'
import type { FormTable } from './form.ts'
import type { KeyTable } from './key.ts'
import type { LeafTable } from './leaf.ts'
import type { LedgerTable } from './ledger.ts'
import type { MetaTable } from './meta.ts'
import type { HookStatsTable, PolicyTable, ToolCallTable } from './record.ts'
import type { RefusedTable } from './refused.ts'
import type { TileTable } from './tile.ts'
import type {
  AgentSecretTable,
  AgentTable,
  EffortTable,
  FleetStatusView,
  MessageTable,
  PhaseHistoryTable,
  ProjectTable,
  SessionTable,
  SkillTable,
  TaskSummaryView,
  TaskTable,
} from './work.ts'

export interface Tables {
  readonly ledger: LedgerTable
  readonly forms: FormTable
  readonly leaves: LeafTable
  readonly refused: RefusedTable
  readonly blobs: BlobTable
  readonly tiles: TileTable
  readonly checkpoints: CheckpointTable
  readonly keys: KeyTable
  readonly deliveries: DeliveryTable
  readonly meta: MetaTable
  readonly projects: ProjectTable
  readonly skills: SkillTable
  readonly tasks: TaskTable
  readonly efforts: EffortTable
  readonly active_efforts: EffortTable
  readonly phase_history: PhaseHistoryTable
  readonly agents: AgentTable
  readonly agent_secrets: AgentSecretTable
  readonly sessions: SessionTable
  readonly stale_sessions: SessionTable
  readonly messages: MessageTable
  readonly fleet_status: FleetStatusView
  readonly task_summary: TaskSummaryView
  readonly approvals: ApprovalTable
  readonly policies: PolicyTable
  readonly hook_stats: HookStatsTable
  readonly tool_calls: ToolCallTable
}
