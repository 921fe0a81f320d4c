// Before a tool runs: the one place where a call can be stopped, asked about or changed.
import { defineEvent } from './event-spec.ts'

export const preToolUse = defineEvent({
  name: 'PreToolUse',
  gate: 'tool',
  fields: {
    toolName: 'string',
    toolInput: 'object',
    toolUseId: 'string?',
    toolKind: 'string?',
    mcpServer: 'object?',
    definition: 'string?',
    definitionChange: 'string?',
  },
  matchField: 'toolName',
  decisions: ['allow', 'ask', 'deny'],
  rewrites: { input: 'toolInput' },
  injects: true,
  stops: true,
  stopDenies: true,
  failure: 'by-fail',
})
