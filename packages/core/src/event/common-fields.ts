// Fields that any event may carry. Only the session id must be there: real agents omit or null the others.
import type { Fields } from './field.ts'

/** These become fields of HookEvent itself. */
export const ENVELOPE_FIELDS = {
  sessionId: 'string',
  transcriptPath: 'string?',
  cwd: 'string?',
  permissionMode: 'string?',
  hookEventName: 'string?',
} as const satisfies Fields

/** These may stand beside an event's own fields. */
export const SHARED_FIELDS = {
  promptId: 'string?',
  effort: 'object?',
  agentId: 'string?',
  agentType: 'string?',
  model: 'string?',
  turnId: 'string?',
  timestamp: 'value?',
} as const satisfies Fields
