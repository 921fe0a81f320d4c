// The agent wants to end its turn: a deny makes it go on, with the reason as its next instruction. U calls it AgentStop.
import { defineEvent } from './event-spec.ts'

export const stop = defineEvent({
  name: 'Stop',
  ends: 'turn',
  aliases: ['AgentStop'],
  fields: {
    stopHookActive: 'boolean?',
    lastAssistantMessage: 'string?',
    backgroundTasks: 'array?',
    sessionCrons: 'array?',
  },
  matchField: null,
  decisions: ['deny'],
  rewrites: {},
  injects: true,
  stops: true,
  failure: 'continue',
})
