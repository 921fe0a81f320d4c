// The user's answer is on its way to an MCP server: a deny declines, the answer may be replaced.
import { defineEvent } from './event-spec.ts'

export const elicitationResult = defineEvent({
  name: 'ElicitationResult',
  fields: { mcpServerName: 'string?', mode: 'string?', action: 'string?', content: 'value?', elicitationId: 'string?' },
  matchField: 'mcpServerName',
  decisions: ['deny'],
  rewrites: { output: 'content' },
  injects: false,
  stops: false,
  failure: 'unless-closed',
})
