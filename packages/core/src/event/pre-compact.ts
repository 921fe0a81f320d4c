// Before the context is compacted: it can be refused.
import { defineEvent } from './event-spec.ts'

export const preCompact = defineEvent({
  name: 'PreCompact',
  fields: { trigger: 'string?', customInstructions: 'string?' },
  matchField: 'trigger',
  decisions: ['deny'],
  rewrites: {},
  injects: false,
  stops: false,
  failure: 'unless-closed',
})
