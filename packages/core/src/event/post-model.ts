// A model has answered, perhaps one piece of a stream: the answer can be held back or replaced.
import { defineEvent } from './event-spec.ts'

export const postModel = defineEvent({
  name: 'PostModel',
  fields: { llmRequest: 'object?', llmResponse: 'value?' },
  matchField: null,
  decisions: ['deny'],
  rewrites: { output: 'llmResponse' },
  injects: false,
  stops: true,
  failure: 'continue',
})
