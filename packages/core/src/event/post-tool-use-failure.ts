// After a tool failed: a deny cannot undo it, its reason goes to the model.
import { defineEvent } from './event-spec.ts'

export const postToolUseFailure = defineEvent({
  name: 'PostToolUseFailure',
  ends: 'tool',
  fields: {
    toolName: 'string',
    toolInput: 'object?',
    toolUseId: 'string?',
    error: 'value?',
    isInterrupt: 'boolean?',
    durationMs: 'number?',
    mcpServer: 'object?',
  },
  matchField: 'toolName',
  decisions: ['deny'],
  rewrites: {},
  injects: true,
  stops: true,
  failure: 'continue',
})
