// The events around tool calls, for hosts to call at their own moments: a prompt, a session, a sub-agent, a stop, a compaction, a batch.
import type { PayloadOf } from '../typed-context.ts'
import { passEvent } from './pass-event.ts'
import type { CallOptions, PipelineParts } from './pipeline-parts.ts'

export interface Passage {
  /** A hook said no: the prompt is not sent, the agent does not stop, the context is not compacted. */
  readonly isRefused: boolean
  /** Why; for a stop it is the agent's next instruction. */
  readonly reason: string | null
  readonly context: readonly string[]
  readonly messages: readonly string[]
  readonly stop: { readonly reason: string } | null
}

export interface PromptPassage extends Passage {
  /** As the hooks left it. */
  readonly prompt: string
}

export interface Lifecycle {
  submitPrompt(prompt: string, options?: CallOptions): Promise<PromptPassage>
  startSession(payload?: PayloadOf<'SessionStart'>, options?: CallOptions): Promise<Passage>
  endSession(payload?: PayloadOf<'SessionEnd'>, options?: CallOptions): Promise<Passage>
  startSubagent(payload: PayloadOf<'SubagentStart'>, options?: CallOptions): Promise<Passage>
  stopSubagent(payload: PayloadOf<'SubagentStop'>, options?: CallOptions): Promise<Passage>
  stop(payload?: PayloadOf<'Stop'>, options?: CallOptions): Promise<Passage>
  beforeCompact(payload?: PayloadOf<'PreCompact'>, options?: CallOptions): Promise<Passage>
  afterCompact(payload?: PayloadOf<'PostCompact'>, options?: CallOptions): Promise<Passage>
  /** All calls of one model turn have ended, also those that were invalid and fired nothing. */
  finishBatch(payload: PayloadOf<'PostToolBatch'>, options?: CallOptions): Promise<Passage>
  /** A request is about to go to the model. */
  beforeModel(payload: PayloadOf<'PreModel'>, options?: CallOptions): Promise<Passage>
  /** The model has answered. Refused: the answer must not be used. */
  afterModel(payload: PayloadOf<'PostModel'>, options?: CallOptions): Promise<Passage>
}

const UNWATCHED: Passage = Object.freeze({ isRefused: false, reason: null, context: [], messages: [], stop: null })

export function createLifecycle(parts: PipelineParts): Lifecycle {
  const pass =
    (name: string) =>
    async (payload: object = {}, options: CallOptions = {}): Promise<Passage> =>
      (await passLifecycle(parts, name, payload, options)).passage
  return {
    async submitPrompt(prompt, options = {}) {
      const { passage, fields } = await passLifecycle(parts, 'UserPromptSubmit', { prompt }, options)
      return { ...passage, prompt: typeof fields.prompt === 'string' ? fields.prompt : prompt }
    },
    startSession: pass('SessionStart'),
    endSession: pass('SessionEnd'),
    startSubagent: pass('SubagentStart'),
    stopSubagent: pass('SubagentStop'),
    stop: pass('Stop'),
    beforeCompact: pass('PreCompact'),
    afterCompact: pass('PostCompact'),
    finishBatch: pass('PostToolBatch'),
    beforeModel: pass('PreModel'),
    afterModel: pass('PostModel'),
  }
}

export async function passLifecycle(parts: PipelineParts, name: string, payload: object, options: CallOptions) {
  if (!parts.gate.isWatched(name) && parts.record === null) return { passage: UNWATCHED, fields: payload as Record<string, unknown> }
  const { verdict, fired } = await passEvent(parts, name, payload, options)
  const isRefused = verdict.decision === 'deny'
  const { context, messages, stop, event } = fired
  return { passage: { isRefused, reason: isRefused ? verdict.reason : null, context, messages, stop }, fields: event.fields }
}
