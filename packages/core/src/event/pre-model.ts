// Before a request goes to the model (Gemini, in-process hosts): it can be refused or replaced.
import { defineEvent } from './event-spec.ts'

export const preModel = defineEvent({
  name: 'PreModel',
  fields: { llmRequest: 'object?' },
  matchField: null,
  decisions: ['deny'],
  rewrites: { input: 'llmRequest' },
  injects: true,
  stops: true,
  stopDenies: true,
  failure: 'unless-closed',
})
