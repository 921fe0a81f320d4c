// The turn ends. Why it ended is in the transcript: a limit that a person must wait for, a window that is full, or simply done.
import { recoveryPrompt } from '../recovery.ts'
import { changeStatus, signalCoordinators } from '../status.ts'
import { readStopCause, readTranscriptTail, type StopCause } from '../transcript.ts'
import { closeWindow, keepMessage } from '../window.ts'
import type { WorkParts } from '../work-parts.ts'
import type { WorkView } from '../work-view.ts'
import type { EventWork } from './event-work.ts'

export const stop: EventWork = {
  async after(parts, view, guarded) {
    const { agent, session } = view
    const { lastAssistantMessage } = view.call.event.fields
    if (session !== null && view.effort !== null && !view.isRepeat && typeof lastAssistantMessage === 'string')
      await keepMessage(parts, session, { role: 'assistant', content: lastAssistantMessage })
    if (guarded.verdict.decision === 'deny') {
      changeStatus(parts, agent, 'working', 'kept from stopping')
      return []
    }
    const path = view.call.event.transcriptPath ?? session?.transcriptPath ?? null
    const cause = path === null ? null : ((await readTranscriptTail(path))?.end ?? null)
    if (cause !== null) await noteCause(parts, view, cause)
    else {
      changeStatus(parts, agent, 'done')
      view.facts.signalled = await signalCoordinators(parts, agent, `${agent.id} is done.`)
    }
    return []
  },
}

/** The turn ended by an error of the provider: what it says is a fact. */
export const stopFailure: EventWork = {
  async after(parts, view) {
    const { error, lastAssistantMessage } = view.call.event.fields
    const text = [lastAssistantMessage, error].filter((part): part is string => typeof part === 'string').join('\n')
    const cause = readStopCause(text)
    if (cause !== null) await noteCause(parts, view, cause)
    else changeStatus(parts, view.agent, 'error', parts.redact(text.split('\n')[0]?.slice(0, 300) ?? '') || 'the turn failed')
    return []
  },
}

async function noteCause(parts: WorkParts, view: WorkView, cause: StopCause): Promise<void> {
  if (cause.kind === 'rate-limit') {
    view.facts.rateLimit = { resetsAt: cause.resetsAt }
    changeStatus(parts, view.agent, 'attention', `rate limit${cause.resetsAt === null ? '' : `, resets ${cause.resetsAt}`}`)
    return
  }
  view.facts.isExhausted = true
  changeStatus(parts, view.agent, 'attention', 'the context window is used up')
  if (!view.isRepeat) await handOver(parts, view, 'the context window is used up')
}

/** Ends the window; a supervisor is told to start the agent anew. */
export async function handOver(parts: WorkParts, view: WorkView, reason: string): Promise<void> {
  const { agent, session, effort, facts, call } = view
  facts.endedSession = session?.id ?? null
  facts.recoveryPrompt = effort === null ? null : recoveryPrompt(effort)
  facts.runId = null
  if (session !== null) await closeWindow(parts, session)
  const run = parts.runs.find(agent.id, call.env.BELAY_RUN_ID ?? null)
  if (run === null) return
  facts.runId = run.runId
  const order = parts.runs.handOver(run, { reason, prompt: facts.recoveryPrompt ?? 'Continue where you left off.' })
  parts.publish('run.restart', order)
}
