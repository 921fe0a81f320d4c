// Before a prompt reaches the model: it can be refused, replaced or given context.
import { defineEvent } from './event-spec.ts'

export const userPromptSubmit = defineEvent({
  name: 'UserPromptSubmit',
  gate: 'prompt',
  fields: { prompt: 'string', sessionTitle: 'string?', source: 'string?' },
  matchField: null,
  decisions: ['deny'],
  rewrites: { prompt: 'prompt' },
  injects: true,
  stops: true,
  stopDenies: true,
  failure: 'unless-closed',
})
