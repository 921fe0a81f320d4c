// Another program holds the database so that the ledger cannot write: a call whose evidence the policy requires must not run.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import type { Connection } from '../store/driver/driver.ts'
import { loadDriver } from '../store/driver/load-driver.ts'

const POLICY = `version: "2.0"
hooks:
  post_tool_use:
    - { matcher: "Write|Bash(make *)", type: evidence_capture, config: { ledger: true, kind: proof } }
    - { matcher: "Read", type: evidence_capture, config: { kind: not_recorded } }
permissions:
  default: none
  actors: { "agent:*": { ask: ["Bash(git push *)"] } }
`

let belay: TestDaemon
let other: Connection
beforeAll(async () => {
  belay = await runDaemon({ policy: POLICY })
  other = (await loadDriver())(join(belay.home, 'belay.db'), { readOnly: false })
})
afterAll(async () => {
  other.close()
  await belay.stop()
})

const cases: readonly [tool: string, input: object, answer: 'deny' | undefined][] = [
  ['Write', { file_path: 'a', content: '' }, 'deny'],
  ['Bash', { command: 'cd x && make all' }, 'deny'],
  ['Bash', { command: 'ls' }, undefined],
  ['Read', { file_path: 'a' }, undefined],
]

test.each(cases)('%s %j: %s while the ledger cannot write, and let through when it can', async (tool_name, tool_input, expected) => {
  const call = () => belay.hook('PreToolUse', { tool_name, tool_input })
  other.exec('BEGIN IMMEDIATE')
  const answer = await call()
  other.exec('ROLLBACK')
  expect(answer.decision).toBe(expected)
  if (expected === 'deny') expect(answer.reason).toContain('cannot be written, and the policy requires it')
  expect((await call()).decision).toBeUndefined()
})

test('an ask that cannot be written down is a denial', async () => {
  const call = () => belay.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'git push' } })
  other.exec('BEGIN IMMEDIATE')
  const answer = await call()
  other.exec('ROLLBACK')
  expect([answer.decision, answer.reason]).toEqual(['deny', expect.stringContaining('cannot be written down')])
  expect((await call()).reason).toContain(' approvals allow ')
})
