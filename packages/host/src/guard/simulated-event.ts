// An event that nobody sent, for commands that tell what would be said to it.
import type { HookEvent } from '@belay/core'
import type { ToolCall } from '@belay/core/policy'

export interface SimulatedCall {
  readonly call: ToolCall
  readonly actor: string
  readonly agent: string
  readonly cwd: string
  /** Default: PreToolUse. */
  readonly event?: string
  /** Fields beside those of the call. */
  readonly fields?: HookEvent['fields']
}

export function simulatedEvent({ call, actor, agent, cwd, event = 'PreToolUse', fields = {} }: SimulatedCall): HookEvent {
  return {
    name: event,
    sessionId: 'simulated',
    cwd,
    transcriptPath: null,
    permissionMode: null,
    actor,
    agent,
    commitment: null,
    fields: { toolName: call.tool, toolInput: call.input, toolUseId: 'simulated', ...fields },
    env: {},
  }
}
