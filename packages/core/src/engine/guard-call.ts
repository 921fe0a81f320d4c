// Hooks first, then permissions, once, on the input as the hooks left it: one verdict for the call.
// Invariant: permissions are judged whatever the hooks allowed; only a deny of a hook makes judging needless.
import type { HookEvent } from '../hook/hook-event.ts'
import type { Judgement, ToolCall } from '../policy/judgement.ts'
import { stricter, type Verdict } from '../verdict/verdict.ts'
import type { Fire } from './engine.ts'
import type { FireOptions } from './engine-parts.ts'
import type { FireResult } from './fire-result.ts'

export type JudgeCall = (call: ToolCall, event: HookEvent) => Judgement

export interface GuardedCall {
  readonly verdict: Verdict
  readonly fired: FireResult
  /** null: the event asks for nothing that rules could judge, or a hook had denied it already. */
  readonly judgement: Judgement | null
}

const GATED = new Set(['PreToolUse', 'PermissionRequest'])

/** No promise where no hook has to be waited for. Never rejects. */
export function guardCall(fire: Fire, event: HookEvent, judge: JudgeCall, options?: FireOptions): GuardedCall | Promise<GuardedCall> {
  const fired = fire.now(event, options)
  return fired instanceof Promise ? fired.then(result => judgeFired(result, judge)) : judgeFired(fired, judge)
}

function judgeFired(fired: FireResult, judge: JudgeCall): GuardedCall {
  const call = GATED.has(fired.event.name) ? callOf(fired.event) : null
  if (call === null || fired.verdict.decision === 'deny') return { verdict: fired.verdict, fired, judgement: null }
  const judgement = judge(call, fired.event)
  return { verdict: stricter(judgement.verdict, fired.verdict), fired, judgement }
}

function callOf({ fields }: HookEvent): ToolCall | null {
  const { toolName, toolInput } = fields
  if (typeof toolName !== 'string') return null
  return { tool: toolName, input: isObject(toolInput) ? toolInput : {} }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
