// One entry of evidence: what every kind of it says of the call and of the hook that captured it, and what this kind adds.
import type { HookEvent, Place } from '@belay/core'
import type { EntryDraft } from '@belay/core/ledger'

export interface CapturedBy {
  readonly hook: string
  readonly scope: string
  readonly place?: Place | null | undefined
}

export function draftEvidence(
  event: HookEvent,
  kind: string,
  { hook, scope, place }: CapturedBy,
  rest: Readonly<Record<string, unknown>>,
): EntryDraft {
  const { toolName, toolUseId } = event.fields
  return {
    actor: event.actor,
    session: event.sessionId,
    kind,
    policy: event.delivery?.policyHash ?? null,
    body: {
      capturedBy: { hook, scope, ...(place ? { place: `${place.file}:${place.line}` } : {}) },
      event: event.name,
      agent: event.agent,
      agentId: event.delivery?.agentId ?? null,
      commitment: event.commitment,
      cwd: event.cwd,
      tool: toolName ?? null,
      toolUseId: toolUseId ?? null,
      ...rest,
    },
  }
}
