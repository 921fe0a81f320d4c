import { expect, test } from 'vitest'
import { callOfEvent } from './call-of-event.ts'

test.each<[string, Readonly<Record<string, unknown>>, ReturnType<typeof callOfEvent>]>([
  ['a call', { toolName: 'Bash', toolInput: { command: 'ls' } }, { tool: 'Bash', input: { command: 'ls' } }],
  ['no name', { toolInput: { command: 'ls' } }, null],
  ['a name that is not text', { toolName: 7, toolInput: {} }, null],
  ['an empty name', { toolName: '', toolInput: {} }, { tool: '', input: {} }],
  ['no input', { toolName: 'Bash' }, { tool: 'Bash', input: {} }],
  ['input that is a list', { toolName: 'Bash', toolInput: ['ls'] }, { tool: 'Bash', input: {} }],
  ['input that is text', { toolName: 'Bash', toolInput: 'ls' }, { tool: 'Bash', input: {} }],
  ['input that is null', { toolName: 'Bash', toolInput: null }, { tool: 'Bash', input: {} }],
])('%s', (_title, fields, expected) => {
  expect(callOfEvent({ fields })).toEqual(expected)
})
