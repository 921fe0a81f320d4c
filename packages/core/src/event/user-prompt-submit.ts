// Before a prompt reaches the model: it can be refused, replaced or given context.
import { defineEvent } from './event-spec.ts'

export const userPromptSubmit = defineEvent({
  name: 'UserPromptSubmit',
  fields: { prompt: 'string', sessionTitle: 'string?', source: 'string?' },
  matchField: null,
  decisions: ['deny'],
  rewrites: { prompt: 'prompt' },
  injects: true,
  stops: true,
  failure: 'unless-closed',
})
