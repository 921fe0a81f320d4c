// An MCP server asks the user something: it can be refused.
import { defineEvent } from './event-spec.ts'

export const elicitation = defineEvent({
  name: 'Elicitation',
  fields: {
    mcpServerName: 'string?',
    message: 'string?',
    mode: 'string?',
    requestedSchema: 'object?',
    url: 'string?',
    elicitationId: 'string?',
  },
  matchField: 'mcpServerName',
  decisions: ['deny'],
  rewrites: {},
  injects: false,
  stops: false,
  failure: 'unless-closed',
})
