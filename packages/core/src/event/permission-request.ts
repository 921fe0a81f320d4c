// The agent is about to ask its user. A hook may answer in the user's place; an ask is what happens anyway, so it says nothing.
import { defineEvent } from './event-spec.ts'

export const permissionRequest = defineEvent({
  name: 'PermissionRequest',
  gate: 'tool',
  fields: { toolName: 'string', toolInput: 'object', toolUseId: 'string?', toolKind: 'string?', permissionSuggestions: 'array?' },
  matchField: 'toolName',
  decisions: ['allow', 'deny'],
  rewrites: { input: 'toolInput' },
  injects: false,
  stops: true,
  stopDenies: true,
  failure: 'by-fail',
})
