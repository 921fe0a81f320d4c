import { expect, test } from 'vitest'
import type { HookEvent } from '../../hook/hook-event.ts'
import { createConditionPort } from './condition-port.ts'

const event: HookEvent = {
  name: 'PreToolUse',
  sessionId: 's1',
  cwd: '/repo',
  transcriptPath: null,
  permissionMode: null,
  actor: 'agent:executor',
  agent: 'claude-code',
  commitment: 'cmt_1',
  fields: { toolName: 'Bash', toolInput: { command: 'git push' }, toolUseId: 'tu1' },
  env: {},
}

test.each([
  ['event.name == "PreToolUse" && event.tool == "Bash" && event.tool_use_id == "tu1"', { ok: true, value: true }],
  ['event.input.command.startsWith("git")', { ok: true, value: true }],
  ['actor.id == "agent:executor" && actor.kind == "agent" && actor.role == "executor"', { ok: true, value: true }],
  ['session.id == "s1" && session.agent == "claude-code"', { ok: true, value: true }],
  ['commitment.id == "cmt_1" && !commitment.requires_review', { ok: true, value: true }],
  ['effort.phase == "BUILD"', { ok: true, value: false }],
  ['nobody.id', { ok: false, why: 'Unknown variable: nobody' }],
])('%s', (text, expected) => {
  expect(createConditionPort()(text, event)).toEqual(expected)
})

test('what the host knows stands in for what the event says', () => {
  const port = createConditionPort(() => ({ commitment: { id: 'cmt_1', requires_review: true }, effort: { phase: 'BUILD' } }))
  expect(port('commitment.requires_review && effort.phase == "BUILD"', event)).toEqual({ ok: true, value: true })
})
