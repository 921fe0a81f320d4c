import { expect, test } from 'vitest'
import type { RunningCall } from '#page/overview.ts'
import { makeRow } from './fixtures.ts'
import { runningAmong } from './use-running.ts'

const LONG = `echo ${'x'.repeat(200)}`
const running: readonly RunningCall[] = [
  { agentId: 'a', callId: 't1', tool: 'Bash', text: '' },
  { agentId: 'b', callId: null, tool: 'Bash', text: 'npm test' },
  { agentId: 'b', callId: null, tool: 'Bash', text: LONG.slice(0, 100) },
]
const CALL = { kind: 'pre_tool_use', agentId: 'b', callId: null, tool: 'Bash', summary: 'npm test' }

test.each([
  ['the call of that id', { ...CALL, agentId: 'a', callId: 't1', summary: 'anything' }, true],
  ['another agent with that id', { ...CALL, callId: 't1' }, false],
  ['by tool and text where there is no id', CALL, true],
  ['by how a long text begins', { ...CALL, summary: LONG }, true],
  ['another text', { ...CALL, summary: 'npm run build' }, false],
  ['its end', { ...CALL, kind: 'post_tool_use' }, false],
  ['nobody', { ...CALL, agentId: null }, false],
])('%s', (_title, fields, isRunning) => {
  expect(runningAmong(running)(makeRow(1, fields))).toBe(isRunning)
})
