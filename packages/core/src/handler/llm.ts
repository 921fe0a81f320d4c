// Prompt and agent hooks: a model is asked whether the event may go on. Which model, and how, is the provider's matter.
// Invariant: a model can only tighten; ok is no opinion, never an allow.

import { toWirePayload } from '../event/wire-payload.ts'
import type { HookDefinition, LlmHandler } from '../hook/hook-definition.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { HandlerRun, ModelUsage } from '../hook/hook-result.ts'
import { errorText } from '../value/error-text.ts'
import { deny, none } from '../verdict/verdict.ts'
import { describeHook } from './describe-hook.ts'
import { failed } from './failure.ts'
import type { HandlerOptions } from './handler-options.ts'
import { endsOf } from './limit.ts'
import { readConversation } from './llm/read-conversation.ts'
import { withinLimit } from './within-limit.ts'

export interface LlmRequest {
  /** agent: with tools to look around (Read, Grep, Glob, the transcript), over several turns. */
  readonly kind: 'prompt' | 'agent'
  /** As written; `$ARGUMENTS` stands for the event, which the provider puts in as data. */
  readonly prompt: string
  readonly event: Readonly<Record<string, unknown>>
  readonly model: string | null
  readonly signal: AbortSignal
  /** The conversation so far, where the host has it. */
  readonly history?: readonly unknown[]
  /** What an agent may look at, and nothing outside it. */
  readonly root?: string
  readonly transcriptPath?: string | null
  /** How far it got, for whoever watches. */
  readonly onProgress?: (text: string) => void
}

export type LlmAnswer =
  | { readonly kind: 'answer'; readonly ok: boolean; readonly reason?: string; readonly usage?: ModelUsage }
  /** Unreachable, or an answer that does not fit the schema. */
  | { readonly kind: 'failed'; readonly why: string; readonly usage?: ModelUsage }
  /** Nobody was asked. `isNews`: whoever works in this session has not been told yet. */
  | { readonly kind: 'off'; readonly why: string; readonly isNews: boolean; readonly usage?: undefined }

export interface LlmProvider {
  ask(request: LlmRequest): Promise<LlmAnswer>
}

export type LlmHook = HookDefinition & { readonly handler: LlmHandler }

export async function runLlm(hook: LlmHook, event: HookEvent, options: HandlerOptions): Promise<HandlerRun> {
  if (options.mode === 'batch') return failed('BELAY_HANDLER_BATCH', `${describeHook(hook)} asks a model`)
  const { llm } = options
  if (llm === undefined) return failed('BELAY_LLM_NO_PROVIDER', `${describeHook(hook)} needs a model and none is set up`)
  return withinLimit(endsOf(hook, options), async signal => {
    try {
      const history = await historyOf(hook, event, options)
      return readLlmAnswer(await llm.ask(requestFor(hook, event, { ...options, signal, history })), hook)
    } catch (error) {
      return failed('BELAY_LLM_FAILED', `${describeHook(hook)}: ${errorText(error)}`)
    }
  })
}

/** The host's own messages, else the end of the transcript. An agent hook searches the transcript by itself. */
function historyOf(
  { handler }: LlmHook,
  { transcriptPath }: HookEvent,
  { messages }: HandlerOptions,
): Promise<readonly unknown[]> | readonly unknown[] {
  if (messages !== undefined) return messages
  return handler.type === 'agent' || transcriptPath === null ? [] : readConversation(transcriptPath)
}

interface Asking extends HandlerOptions {
  readonly signal: AbortSignal
  readonly history: readonly unknown[]
}

function requestFor({ handler }: LlmHook, event: HookEvent, { history, onOutput, signal }: Asking): LlmRequest {
  return {
    kind: handler.type,
    prompt: handler.prompt,
    event: toWirePayload(event),
    model: handler.model ?? null,
    signal,
    root: event.delivery?.root ?? event.cwd,
    transcriptPath: event.transcriptPath,
    history,
    ...(onOutput === undefined ? {} : { onProgress: onOutput }),
  }
}

function readLlmAnswer(answer: LlmAnswer, hook: LlmHook): HandlerRun {
  const detail = answer.usage === undefined ? {} : { detail: { usage: answer.usage } }
  if (answer.kind === 'off') return turnedOff(hook, answer)
  if (answer.kind === 'failed') return { ...failed('BELAY_LLM_FAILED', `${describeHook(hook)}: ${answer.why}`), ...detail }
  if (answer.ok) return { kind: 'answered', result: { verdict: none() }, ...detail }
  return { kind: 'answered', result: { verdict: deny(answer.reason ?? `${describeHook(hook)} said no`) }, ...detail }
}

/** A hook that fails open lets the event go on unjudged: that is told. */
function turnedOff(hook: LlmHook, { why, isNews }: Extract<LlmAnswer, { kind: 'off' }>): HandlerRun {
  const run = failed('BELAY_LLM_BUDGET', `${describeHook(hook)}: ${why}`)
  return run.kind === 'failed' && isNews ? { ...run, message: `Not judged by a model: ${run.why}` } : run
}
