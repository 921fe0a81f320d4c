// Another model is about to take over: it can be allowed, asked about or refused.
import { defineEvent } from './event-spec.ts'

export const preModelSwitch = defineEvent({
  name: 'PreModelSwitch',
  fields: {
    fromModel: 'string?',
    toModel: 'string?',
    requestedModel: 'string?',
    source: 'string?',
    contextTokens: 'number?',
    promptCacheWarm: 'boolean?',
    cacheTtl: 'value?',
    estimatedCacheWriteUsd: 'number?',
    pricing: 'value?',
  },
  matchField: 'toModel',
  decisions: ['allow', 'ask', 'deny'],
  rewrites: {},
  injects: false,
  stops: false,
  failure: 'by-fail',
})
