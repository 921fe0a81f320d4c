// One agent as people see it in the fleet, and the order they want to see them in.
import type { AgentStatus } from '../store/table/work.ts'

export interface FleetAgent {
  readonly agent: string
  readonly label: string | null
  readonly role: string | null
  /** `claude-code`, `codex` ... */
  readonly kind: string | null
  readonly status: AgentStatus
  readonly reason: string | null
  readonly project: string | null
  readonly task: string | null
  readonly effortId: number | null
  readonly skill: string | null
  readonly phase: string | null
  readonly heartbeat: number | null
  readonly heartbeatInterval: number | null
  /** 0 to 1. */
  readonly context: number | null
  /** What it calls now, asks a person for, or called last. */
  readonly lastTool: string | null
  /** What it is called with, without secrets; null: unknown. */
  readonly lastCall: string | null
  /** Since when that call runs; null: it ended, was not let through, or the agent does not say when calls end. */
  readonly runsSince: string | null
  /** What it was asked last, without secrets. */
  readonly asked: string | null
  /** What it said when its turn ended; null: it is at work, or says nothing. */
  readonly said: string | null
  readonly approvals: number
  readonly lastEventAt: string
  /** It says it works, and nothing has been heard of it for five minutes. */
  readonly stale: boolean
  /** Why it is not guarded, or that a call ran which was denied; absent: nothing is known against it. */
  readonly unguarded?: string
}

/** Why an agent wants attention that has asked for an approval; as in the view `fleet_status`. */
export const WAITS = 'waits for you'

const URGENCY: Readonly<Record<AgentStatus, number>> = { error: 4, attention: 3, working: 2, checked: 1, done: 0 }

/** error > attention > working > checked > done; what needs a person first comes first. */
export function compareStatus(a: AgentStatus, b: AgentStatus): number {
  return URGENCY[b] - URGENCY[a]
}

const STALE_MS = 5 * 60 * 1000

export interface LifeSigns {
  readonly status: AgentStatus
  /** Its last window has been closed. */
  readonly hasEnded: boolean
  readonly lastEventAt: string
  readonly lastHeartbeat: string | null
}

/** Who waits for a person is not stale. */
export function isStale({ status, hasEnded, lastEventAt, lastHeartbeat }: LifeSigns, nowMs: number): boolean {
  if (hasEnded || (status !== 'working' && status !== 'error')) return false
  const last = Math.max(Date.parse(lastEventAt), lastHeartbeat === null ? 0 : Date.parse(lastHeartbeat))
  return nowMs - last > STALE_MS
}

/** Who waits for an answer, then what needs a person first, then who was heard of last. */
export function sortFleet(agents: readonly FleetAgent[]): readonly FleetAgent[] {
  const waits = ({ approvals }: FleetAgent) => (approvals > 0 ? 0 : 1)
  return [...agents].sort(
    (a, b) =>
      waits(a) - waits(b) ||
      compareStatus(a.status, b.status) ||
      b.lastEventAt.localeCompare(a.lastEventAt) ||
      a.agent.localeCompare(b.agent),
  )
}
