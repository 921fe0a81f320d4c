// What is known of the work around one event: handed to hooks in the metadata, read by the RPC methods afterwards.
import type { HookEvent } from '@belay/core'
import { callOfEvent, type ToolCall } from '@belay/core/policy'
import type { AgentRow, EffortRow, Injection, SessionRow } from './work-row.ts'

export interface WorkCall {
  readonly event: HookEvent
  readonly agentId: string
  /** AGENT_ID was given; otherwise the id is made from the host's session, and the project's latest effort stands in for one of its own. */
  readonly isNamed: boolean
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly deliveryId: string | null
  /** It happened while there was no daemon: nothing is handed to the model any more. */
  readonly isReplayed?: boolean
}

export interface WorkView {
  readonly call: WorkCall
  readonly agent: AgentRow
  session: SessionRow | null
  effort: EffortRow | null
  /** engine: free from heartbeat and guards; heartbeat: free from the heartbeat only. */
  exempt: 'engine' | 'heartbeat' | null
  /** Ids of the rules that had something to say. */
  readonly fired: string[]
  /** The same delivery came before: nothing is counted or made again. */
  readonly isRepeat: boolean
  readonly facts: WorkFacts
}

/** What an event's own handling found out. */
export interface WorkFacts {
  /** The count with this call; others may be counted before it is answered. */
  heartbeat?: number
  filesToPreload?: readonly string[]
  dehydrated?: Readonly<Record<string, unknown>> | null
  injections?: readonly Injection[]
  dialogue?: string | null
  sessionContext?: string
  endedSession?: number | null
  recoveryPrompt?: string | null
  runId?: string | null
  rateLimit?: { readonly resetsAt: string | null } | null
  isExhausted?: boolean
  signalled?: readonly string[]
  /** The effort that ended with the task it stood for. */
  finishedEffort?: number | null
}

/** Where hooks find it in their metadata. */
export const WORK = 'belay.work'

export function viewOf(metadata: ReadonlyMap<string, unknown> | undefined): WorkView | null {
  return (metadata?.get(WORK) as WorkView | undefined) ?? null
}

export const WITH_EFFORT = 'effort'
export const WITHOUT_EFFORT = 'no effort'
export const TAKEN_EFFORT = 'effort taken'

/** What hooks of the work take part by: null where none does, as for the verbs of the engine itself. */
export function workAround(metadata: ReadonlyMap<string, unknown> | undefined): string | null {
  const view = viewOf(metadata)
  if (view === null || view.exempt === 'engine') return null
  if (view.session?.injections.some(({ kind }) => kind === 'taken') === true) return TAKEN_EFFORT
  return view.effort === null ? WITHOUT_EFFORT : WITH_EFFORT
}

/** These make or end windows themselves, or say nothing of one. */
const WITHOUT_WINDOW = new Set(['SessionStart', 'SessionEnd', 'SubagentStart', 'SubagentStop', 'PreCompact', 'ConfigChange', 'Setup'])

export function needsWindow({ name }: HookEvent): boolean {
  return !WITHOUT_WINDOW.has(name)
}

/** The host's own id of the sub-agent an event happens in. */
export function subagentOf({ fields }: HookEvent, cleanName: (name: string) => string): string | null {
  return typeof fields.agentId === 'string' && fields.agentId !== '' ? cleanName(fields.agentId) : null
}

const NO_TOOL: ToolCall = { tool: '', input: {} }

/** Events of tools always name one; what names none is not a tool that work is counted by. */
export function toolOf(event: HookEvent): ToolCall {
  return callOfEvent(event) ?? NO_TOOL
}
