// A configuration file changed under a running agent: taking it over can be refused.
import { defineEvent } from './event-spec.ts'

export const configChange = defineEvent({
  name: 'ConfigChange',
  gate: 'settings',
  fields: { source: 'string?', filePath: 'string?' },
  matchField: 'source',
  decisions: ['deny'],
  rewrites: {},
  injects: false,
  stops: false,
  failure: 'unless-closed',
})
