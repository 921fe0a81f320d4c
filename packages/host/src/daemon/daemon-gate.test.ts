// An agent in its own process, with the daemon as its gate: same policy, same ledger.
import { createDaemonGate, createToolPipeline } from '@belay/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from './fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
guardrails:
  failure_hints: {}
permissions:
  default: none
  actors:
    "agent:*":
      deny: ["Bash(rm *)"]
      ask: ["Bash(git push *)"]
`

let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterAll(() => daemon.stop())

function pipeline(ran: unknown[], socket = daemon.paths.socket) {
  const execute = ({ command }: { readonly command?: unknown }) => {
    ran.push(command)
    if (command === 'fail') throw new Error('ENOSPC')
    return 'ok'
  }
  return createToolPipeline({
    gate: createDaemonGate({ socket }),
    tools: [{ name: 'Bash', execute }],
    cwd: daemon.project,
    actor: 'agent:own',
  })
}

test.each([
  ['ls', 'succeeded'],
  ['rm x', 'denied'],
  ['git push', 'denied'],
])('%s: %s', async (command, status) => {
  const ran: unknown[] = []
  const result = await pipeline(ran).runTool('Bash', { command })
  expect([result.status, ran]).toEqual([status, status === 'succeeded' ? [command] : []])
})

test('hints of guardrails come back, and all of it is in the ledger', async () => {
  const result = await pipeline([]).runTool('Bash', { command: 'fail' })
  expect([result.status, result.context.join()]).toEqual(['failed', expect.stringContaining('disk is full')])
  // What decides nothing is answered before it is on disk.
  await expect
    .poll(async () => (await daemon.entries()).some(({ kind, actor }) => kind === 'post_tool_use_failure' && actor === 'agent:own'))
    .toBe(true)
})

test('without a daemon nothing runs', async () => {
  const ran: unknown[] = []
  const result = await pipeline(ran, '/nowhere/daemon.sock').runTool('Bash', { command: 'ls' })
  expect([result.status, result.reason, ran]).toEqual(['denied', expect.stringContaining('belay up'), []])
})
