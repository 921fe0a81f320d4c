// A worktree is about to be made: it can be refused.
import { defineEvent } from './event-spec.ts'

export const worktreeCreate = defineEvent({
  name: 'WorktreeCreate',
  fields: { name: 'string?' },
  matchField: null,
  decisions: ['deny'],
  rewrites: {},
  injects: false,
  stops: false,
  failure: 'unless-closed',
})
