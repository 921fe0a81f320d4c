// An agent wrote down a task: it can be refused.
import { defineEvent } from './event-spec.ts'

export const taskCreated = defineEvent({
  name: 'TaskCreated',
  fields: { taskId: 'string?', taskSubject: 'string?', taskDescription: 'string?', teammateName: 'string?', teamName: 'string?' },
  matchField: null,
  decisions: ['deny'],
  rewrites: {},
  injects: false,
  stops: true,
  stopDenies: true,
  failure: 'unless-closed',
})
