// An agent says a task is done: a deny keeps it open.
import { defineEvent } from './event-spec.ts'

export const taskCompleted = defineEvent({
  name: 'TaskCompleted',
  fields: { taskId: 'string?', taskSubject: 'string?', taskDescription: 'string?', teammateName: 'string?', teamName: 'string?' },
  matchField: null,
  decisions: ['deny'],
  rewrites: {},
  injects: false,
  stops: true,
  failure: 'unless-closed',
})
