// After all tool calls of one model turn, also those that failed validation and fired nothing else. A deny ends the loop.
import { defineEvent } from './event-spec.ts'

export const postToolBatch = defineEvent({
  name: 'PostToolBatch',
  fields: { toolCalls: 'array?' },
  matchField: null,
  decisions: ['deny'],
  rewrites: {},
  injects: true,
  stops: true,
  failure: 'continue',
})
