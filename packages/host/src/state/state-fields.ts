// What conditions of a policy may read of the work around a call.
import type { HookEvent } from '@belay/core'
import type { StateOf } from '@belay/core/policy'
import type { WorkView } from './work-view.ts'

/** Where the last event of a window happened. Rows only: payloads can be large. */
export type Slot = Pick<WorkView, 'session' | 'effort'>

/** What conditions may read of a window and its effort. */
export function stateFields(event: HookEvent, slot: Slot | null): ReturnType<StateOf> {
  if (slot === null) return {}
  const { session, effort } = slot
  return {
    session: {
      id: event.sessionId,
      agent: event.agent,
      heartbeat: session?.heartbeat,
      context_usage: session?.contextUsage,
      started_at: session?.createdAt,
    },
    effort:
      effort === null ? null : { id: String(effort.id), skill: effort.skill, mode: effort.mode, phase: effort.phase, lifecycle: 'active' },
    task: effort === null ? null : { dir: effort.taskDir },
  }
}
