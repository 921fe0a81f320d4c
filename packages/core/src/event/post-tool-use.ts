// After a tool ran: a deny cannot undo it, its reason goes to the model; the output may be replaced.
import { defineEvent } from './event-spec.ts'

export const postToolUse = defineEvent({
  name: 'PostToolUse',
  ends: 'tool',
  fields: {
    toolName: 'string',
    toolInput: 'object?',
    toolResponse: 'value?',
    toolUseId: 'string?',
    durationMs: 'number?',
    mcpServer: 'object?',
  },
  matchField: 'toolName',
  decisions: ['deny'],
  rewrites: { output: 'toolResponse' },
  injects: true,
  stops: true,
  failure: 'continue',
})
