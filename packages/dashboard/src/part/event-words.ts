// What happened, in words of a person: names of events and kinds of entries are ours, not theirs.
import type { RecordRow } from '#page/record.ts'

const EVENTS: Readonly<Record<string, string>> = {
  SessionStart: 'session began',
  SessionEnd: 'session ended',
  UserPromptSubmit: 'prompt',
  Stop: 'turn ended',
  StopFailure: 'turn failed',
  SubagentStart: 'sub-agent began',
  SubagentStop: 'sub-agent ended',
  Notification: 'notification',
  PreCompact: 'compacting the context',
  PostCompact: 'context compacted',
  PermissionRequest: 'asked its user',
  PermissionDenied: 'its user said no',
}

/** Entries about one call, as its steps. */
const STEPS: Readonly<Record<string, string>> = {
  pre_tool_use: 'judged',
  post_tool_use: 'done',
  post_tool_use_failure: 'failed',
  permission_request: 'asked its user',
  approval_requested: 'held for a person',
  approval_decided: 'answered',
  approval_used: 'went on with the answer',
  approval_expired: 'nobody answered',
}

/** Of no call, whose own names are no words. */
const OTHERS: Readonly<Record<string, string>> = {
  person_check: 'for people only',
}

export function eventWords({ event, kind }: Pick<RecordRow, 'event' | 'kind'>): string {
  return EVENTS[event ?? ''] ?? STEPS[kind] ?? OTHERS[kind] ?? kind.replaceAll('_', ' ')
}

export function stepWords({ kind, event }: Pick<RecordRow, 'event' | 'kind'>): string {
  return STEPS[kind] ?? eventWords({ event, kind })
}

/** Not a call: it marks a moment. */
export function isMarker({ tool, verdict }: Pick<RecordRow, 'tool' | 'verdict'>): boolean {
  return tool === null && verdict !== 'deny' && verdict !== 'ask'
}
