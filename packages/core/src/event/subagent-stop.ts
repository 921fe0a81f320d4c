// A sub-agent wants to end: a deny makes it go on, with the reason as its next instruction.
import { defineEvent } from './event-spec.ts'

export const subagentStop = defineEvent({
  name: 'SubagentStop',
  ends: 'turn',
  fields: {
    stopHookActive: 'boolean?',
    agentId: 'string?',
    agentType: 'string?',
    agentTranscriptPath: 'string?',
    lastAssistantMessage: 'string?',
    backgroundTasks: 'array?',
    sessionCrons: 'array?',
  },
  matchField: 'agentType',
  decisions: ['deny'],
  rewrites: {},
  injects: true,
  stops: true,
  failure: 'continue',
})
