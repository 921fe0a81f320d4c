// Claude Agent SDK: the `hooks` option. Every event goes through the gate and comes back in the SDK's own words; a call that cannot be judged
// is denied, because the SDK lets a tool run when its hook breaks.

import { decodeEvent } from '../adapter/decode.ts'
import { encodeAnswer } from '../adapter/encode.ts'
import { findAgent } from '../agent/agents.ts'
import type { GuardedCall } from '../engine/guard-call.ts'
import { type Caller, fillCaller } from '../engine/make-event.ts'
import type { Gate } from '../engine/pipeline/gate.ts'
import { parseEventPayload } from '../event/parse-payload.ts'
import { gateOf } from '../event/table.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { HookResult } from '../hook/hook-result.ts'
import { errorText } from '../value/error-text.ts'

type Json = Readonly<Record<string, unknown>>

export type SdkHook = (input: Json, toolUseId: string | undefined, options: { readonly signal: AbortSignal }) => Promise<Json>

export type SdkHooks = Readonly<Record<string, { hooks: SdkHook[] }[]>>

export interface SdkHookOptions extends Caller {
  readonly gate: Gate
  /** A person can answer the SDK's own question. */
  readonly attended?: boolean
}

export const SDK_EVENTS = [
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest', 'UserPromptSubmit', 'SessionStart', 'SessionEnd'],
  ...['Stop', 'SubagentStart', 'SubagentStop', 'PreCompact', 'Notification'],
] as const

/** `query({ prompt, options: { hooks: createSdkHooks({ gate }) } })` */
export function createSdkHooks(options: SdkHookOptions): SdkHooks {
  return Object.fromEntries(SDK_EVENTS.map(event => [event, [{ hooks: [createHook(event, options)] }]]))
}

function createHook(name: string, options: SdkHookOptions): SdkHook {
  return async (input, _toolUseId, { signal }) => {
    try {
      return await answer(name, input, options, signal)
    } catch (error) {
      return refuse(name, `it could not be judged: ${errorText(error)}`)
    }
  }
}

async function answer(name: string, input: Json, options: SdkHookOptions, signal: AbortSignal): Promise<Json> {
  const agent = findAgent('claude-code')
  if (agent === null) return refuse(name, 'the dialect of Claude Code is not known')
  const decoded = decodeEvent(agent, name, input)
  const parsed = parseEventPayload(decoded.event, decoded.payload)
  if (!parsed.ok) return refuse(name, parsed.problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; '))
  const caller = fillCaller({ agent: 'claude-agent-sdk', actor: 'agent:claude-agent-sdk', ...options })
  const event: HookEvent = { ...caller, ...parsed.value, cwd: parsed.value.cwd ?? caller.cwd }
  const encoded = encodeAnswer(decoded, resultOf(await options.gate.pass(event, { signal })), { attended: options.attended ?? false })
  if (encoded.exitCode !== 0) return refuse(name, encoded.stderr.trim())
  return encoded.stdout === '' ? {} : (JSON.parse(encoded.stdout) as Json)
}

function resultOf({ verdict, fired }: GuardedCall): HookResult {
  const rewrite = Object.fromEntries(fired.rewrites.map(({ target, after }) => [target, after]))
  return {
    verdict,
    ...(fired.rewrites.length === 0 ? {} : { rewrite }),
    ...(fired.context.length === 0 ? {} : { context: fired.context.join('\n') }),
    ...(fired.messages.length === 0 ? {} : { message: fired.messages.join('\n') }),
    ...(fired.stop === null ? {} : { stop: fired.stop }),
  }
}

/** Only events that gate a call are refused; the others go on. */
function refuse(name: string, reason: string): Json {
  if (name === 'PermissionRequest')
    return { hookSpecificOutput: { hookEventName: name, decision: { behavior: 'deny', message: `Tool denied: ${reason}` } } }
  if (gateOf(name) !== 'tool') return {}
  return { hookSpecificOutput: { hookEventName: name, permissionDecision: 'deny', permissionDecisionReason: `Tool denied: ${reason}` } }
}
