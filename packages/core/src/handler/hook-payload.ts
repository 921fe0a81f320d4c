// What command and http hooks read: the event under Claude's names, and once more under the names that hooks.toml and genesis.key scripts know.
import { toWirePayload } from '../event/wire-payload.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import { agentVariables } from './agent-variables.ts'

/** A field that the agent itself sent under one of these names stays as it is. */
export function hookPayload(event: HookEvent): Record<string, unknown> {
  const wire = toWirePayload(event)
  return {
    event: event.name,
    env: agentVariables(event),
    ...('tool_response' in wire ? { tool_output: wire.tool_response } : {}),
    ...('prompt' in wire ? { user_prompt: wire.prompt } : {}),
    ...wire,
  }
}
