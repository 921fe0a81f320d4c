// The agents and efforts of this machine as its team sees them, read from the store: no call waits for it.
import { isObject } from '@belay/core/value'
import type { Store } from '../store/store.ts'

export interface SharedWork {
  readonly agents: readonly Readonly<Record<string, unknown>>[]
  readonly efforts: readonly Readonly<Record<string, unknown>>[]
}

const MAX_AGENTS = 200

/** `withHandOvers`: with what sessions left for the next one. */
export async function readWork({ db }: Store, withHandOvers: boolean): Promise<SharedWork> {
  const agents = await db.selectFrom('fleet_status').selectAll().orderBy('last_event_at', 'desc').limit(MAX_AGENTS).execute()
  const efforts = await db
    .selectFrom('efforts')
    .innerJoin('tasks', 'tasks.dir_path', 'efforts.task_id')
    .select(['efforts.id', 'efforts.skill', 'efforts.mode', 'efforts.current_phase', 'efforts.metadata', 'efforts.created_at'])
    .select(['tasks.title', 'tasks.description', 'tasks.dir_path'])
    .where('efforts.lifecycle', '=', 'active')
    .orderBy('efforts.id')
    .execute()
  const waiting = await db
    .selectFrom('sessions')
    .select(['effort_id', 'dehydration_payload'])
    .where('handed_over_at', 'is not', null)
    .orderBy('handed_over_at')
    .execute()
  return {
    agents: agents.map(({ session_id, last_heartbeat, ...agent }) => agent),
    efforts: efforts.map(({ current_phase, metadata, dir_path, created_at, ...effort }) => ({
      ...effort,
      phase: current_phase,
      task: dir_path,
      createdAt: created_at,
      takenFrom: readTakenFrom(metadata),
      agents: agents.filter(agent => agent.effort_id === effort.id).map(({ agent }) => agent),
      handOver: withHandOvers ? (waiting.findLast(({ effort_id }) => effort_id === effort.id)?.dehydration_payload ?? null) : null,
    })),
  }
}

function readTakenFrom(metadata: string): string | null {
  const value: unknown = JSON.parse(metadata)
  return isObject(value) && typeof value.takenFrom === 'string' ? value.takenFrom : null
}
