// What a pipeline is made of, and what one call of a tool carries along.
import type { BuiltinPorts } from '../../handler/builtin/ports.ts'
import type { HookEvent } from '../../hook/hook-event.ts'
import type { Judgement } from '../../policy/judgement.ts'
import type { FireOptions } from '../engine-parts.ts'
import type { HookRun } from '../fire-result.ts'
import type { GuardedCall } from '../guard-call.ts'
import type { Caller, FilledCaller } from '../make-event.ts'
import type { Gate } from './gate.ts'
import type { Tool, ToolInput } from './tool.ts'

export interface ApprovalRequest {
  readonly tool: string
  readonly input: ToolInput
  readonly toolUseId: string
  readonly reason: string
  readonly event: HookEvent
  readonly judgement: Judgement | null
  readonly signal: AbortSignal | undefined
}

/** An input given with an allow replaces the call's; it is validated and judged once more. */
export type Approval = { readonly decision: 'allow'; readonly input?: ToolInput } | { readonly decision: 'deny'; readonly reason?: string }

export type Approve = (request: ApprovalRequest) => Approval | Promise<Approval>

/** One for each hook that ran; for one that went on in the background (`run.detached`) one more when it has ended. */
export interface HookExecuted {
  readonly event: string
  readonly toolUseId: string | null
  readonly run: HookRun
}

/** Resolves when what happened is kept. A call whose record is refused does not run. */
export interface Recorder {
  (guarded: GuardedCall, gate: Pick<Gate, 'recordsEvidence'>): Promise<void> | void
  /** What built-in hooks of policies record goes the same way. */
  readonly ports?: BuiltinPorts
}

export interface PipelineParts {
  readonly tools: ReadonlyMap<string, Tool>
  readonly gate: Gate
  readonly caller: FilledCaller
  /** null: nobody is there to ask, and an ask is a deny. */
  readonly approve: Approve | null
  readonly onHook: ((executed: HookExecuted) => void) | null
  readonly record: Recorder | null
  readonly revalidate: boolean
  nextId(): string
}

export interface CallOptions extends Caller {
  /** The id that the model gave the call. */
  readonly toolUseId?: string
  readonly signal?: AbortSignal
  /** The host's live message list, which function hooks may edit. */
  readonly messages?: unknown[]
  readonly metadata?: Map<string, unknown>
  readonly deadlineMs?: number
}

export function fireOptions({ onHook, record }: PipelineParts, options: CallOptions): FireOptions {
  const { signal, messages, metadata, deadlineMs } = options
  return {
    report: onHook !== null || record !== null,
    ...(signal === undefined ? {} : { signal }),
    ...(messages === undefined ? {} : { messages }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  }
}
