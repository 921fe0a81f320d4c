// A teammate is about to go idle: a deny gives it the reason as more work.
import { defineEvent } from './event-spec.ts'

export const teammateIdle = defineEvent({
  name: 'TeammateIdle',
  fields: { teammateName: 'string?', teamName: 'string?' },
  matchField: null,
  decisions: ['deny'],
  rewrites: {},
  injects: false,
  stops: true,
  failure: 'continue',
})
