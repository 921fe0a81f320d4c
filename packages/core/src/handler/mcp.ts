// mcp_tool hooks: a tool of an MCP server is called and its text is read like the stdout of a command that succeeded.

import { toWirePayload } from '../event/wire-payload.ts'
import type { HookDefinition, McpHandler } from '../hook/hook-definition.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import { errorText } from '../value/error-text.ts'
import { describeHook } from './describe-hook.ts'
import { failed } from './failure.ts'
import type { HandlerOptions } from './handler-options.ts'
import { interpretText } from './interpret/interpret-text.ts'
import { endsOf } from './limit.ts'
import { fillPlaceholders } from './placeholder.ts'
import { withinLimit } from './within-limit.ts'

export interface McpCall {
  readonly server: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

export type McpAnswer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string }

export interface McpCaller {
  call(call: McpCall): Promise<McpAnswer>
}

export type McpHook = HookDefinition & { readonly handler: McpHandler }

export async function runMcp(hook: McpHook, event: HookEvent, options: HandlerOptions): Promise<HandlerRun> {
  const { server, tool, input } = hook.handler
  const { mcp } = options
  if (mcp === undefined) return failed('BELAY_MCP_NO_CALLER', `${describeHook(hook)} calls an MCP tool`)
  const payload = toWirePayload(event)
  const filled = Object.fromEntries(Object.entries(input).map(([key, value]) => [key, fillPlaceholders(value, payload)]))
  return withinLimit(endsOf(hook, options), async signal => {
    try {
      const answer = await mcp.call({ server, tool, input: filled, signal })
      if (!answer.ok) return failed('BELAY_MCP_FAILED', `${describeHook(hook)}: ${answer.why}`)
      return interpretText(answer.text, hook, event.name)
    } catch (error) {
      return failed('BELAY_MCP_FAILED', `${describeHook(hook)}: ${errorText(error)}`)
    }
  })
}
