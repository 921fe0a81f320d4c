// Before the model is told which tools it may choose: the choice can be narrowed by replacing the request.
import { defineEvent } from './event-spec.ts'

export const preToolSelection = defineEvent({
  name: 'PreToolSelection',
  fields: { llmRequest: 'object?' },
  matchField: null,
  decisions: [],
  rewrites: { input: 'llmRequest' },
  injects: false,
  stops: false,
  failure: 'continue',
})
