// Prompt and agent hooks: a model is asked whether the event may go on. Which model, and how, is the provider's matter.
// Invariant: a model can only tighten; ok is no opinion, never an allow.
import { toWirePayload } from '../event/wire-payload.ts'
import type { HookDefinition, LlmHandler } from '../hook/hook-definition.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import { deny, none } from '../verdict/verdict.ts'
import { describeHook } from './describe-hook.ts'
import { failed, messageOf } from './failure.ts'
import type { HandlerOptions } from './handler-options.ts'
import { limitOf } from './limit.ts'
import { withinLimit } from './within-limit.ts'

export interface LlmRequest {
  /** agent: with tools to look around (Read, Grep, Glob, the transcript), over several turns. */
  readonly kind: 'prompt' | 'agent'
  /** As written; `$ARGUMENTS` stands for the event, which the provider puts in as data. */
  readonly prompt: string
  readonly event: Readonly<Record<string, unknown>>
  readonly model: string | null
  readonly signal: AbortSignal
}

export type LlmAnswer =
  | { readonly kind: 'answer'; readonly ok: boolean; readonly reason?: string }
  /** Unreachable, over budget, or an answer that does not fit the schema. */
  | { readonly kind: 'failed'; readonly why: string }

export interface LlmProvider {
  ask(request: LlmRequest): Promise<LlmAnswer>
}

export type LlmHook = HookDefinition & { readonly handler: LlmHandler }

export async function runLlm(hook: LlmHook, event: HookEvent, options: HandlerOptions): Promise<HandlerRun> {
  const { handler } = hook
  if (options.mode === 'batch') return failed('BELAY_HANDLER_BATCH', `${describeHook(hook)} asks a model`)
  const { llm } = options
  if (llm === undefined) return failed('BELAY_LLM_NO_PROVIDER', `${describeHook(hook)} needs a model and none is set up`)
  return withinLimit(limitOf(hook, options), options.signal, async signal => {
    const request = { kind: handler.type, prompt: handler.prompt, event: toWirePayload(event), model: handler.model ?? null, signal }
    try {
      return readLlmAnswer(await llm.ask(request), hook)
    } catch (error) {
      return failed('BELAY_LLM_FAILED', `${describeHook(hook)}: ${messageOf(error)}`)
    }
  })
}

function readLlmAnswer(answer: LlmAnswer, hook: LlmHook): HandlerRun {
  if (answer.kind === 'failed') return failed('BELAY_LLM_FAILED', `${describeHook(hook)}: ${answer.why}`)
  if (answer.ok) return { kind: 'answered', result: { verdict: none() } }
  return { kind: 'answered', result: { verdict: deny(answer.reason ?? `${describeHook(hook)} said no`) } }
}
