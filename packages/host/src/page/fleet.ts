// One agent's history as the page draws it: sessions with their hand-overs, messages, artifacts.
import type { FleetAgent } from '../fleet/fleet-agent.ts'

export interface SessionView {
  readonly id: number
  readonly previous: number | null
  readonly hostSession: string
  readonly subagent: string | null
  readonly startedAt: string
  readonly endedAt: string | null
  readonly context: number | null
  readonly cost: number | null
  readonly heartbeat: number
  readonly effortId: number | null
  /** What it handed to the next one; null: nothing. */
  readonly dehydrated: unknown
  readonly messages: number
}

export interface EffortView {
  readonly id: number
  readonly skill: string
  readonly mode: string | null
  readonly ordinal: number
  readonly lifecycle: 'active' | 'finished'
  readonly task: string
  readonly phases: readonly { readonly phase: string; readonly proof: unknown; readonly at: string }[]
  readonly artifacts: readonly { readonly path: string; readonly bytes: number; readonly changedAt: string }[]
}

export interface AgentView {
  readonly agent: FleetAgent
  /** Oldest first. */
  readonly sessions: readonly SessionView[]
  readonly efforts: readonly EffortView[]
}

export interface MessageView {
  readonly id: number
  readonly role: string
  readonly content: string
  readonly tool: string | null
  readonly at: string
}
