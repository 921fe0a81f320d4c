// A slash command is being turned into a prompt: it can be refused.
import { defineEvent } from './event-spec.ts'

export const userPromptExpansion = defineEvent({
  name: 'UserPromptExpansion',
  fields: {
    commandName: 'string?',
    commandArgs: 'string?',
    commandSource: 'string?',
    expansionType: 'string?',
    prompt: 'string?',
  },
  matchField: 'commandName',
  decisions: ['deny'],
  rewrites: {},
  injects: true,
  stops: true,
  stopDenies: true,
  failure: 'unless-closed',
})
