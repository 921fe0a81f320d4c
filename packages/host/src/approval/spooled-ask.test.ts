// A call that asked for a person while there was no daemon, as the client spools it, and a real daemon that finds it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { runHook } from '../shim/node-shim.ts'

const POLICY = 'version: "2.0"\npermissions: {default: none, actors: {"agent:*": {ask: ["Bash(push *)"]}}}\n'

let daemon: TestDaemon

beforeEach(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterEach(() => daemon.stop())

const push = { tool_name: 'Bash', tool_input: { command: 'push it' }, tool_use_id: 't' }

async function alone(isTty: boolean): Promise<string> {
  const { stdout } = await runHook(
    { agent: 'claude-code', event: 'PreToolUse', direct: true, deadlineMs: null },
    {
      payload: JSON.stringify({ session_id: 's1', cwd: daemon.project, ...push }),
      cwd: daemon.project,
      env: daemon.env,
      isTty,
      etc: join(daemon.home, 'etc'),
      startDaemon: () => undefined,
    },
  )
  return JSON.parse(stdout).hookSpecificOutput.permissionDecision
}

/** What waits for a person once the spool is empty. */
async function waiting(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  await daemon.restart()
  await expect.poll(() => readdirSync(join(daemon.home, 'spool'))).toEqual([])
  const reply = await daemon.rpc('approvals.list')
  return ('result' in reply ? reply.result.requests : []) as readonly Readonly<Record<string, unknown>>[]
}

/** Changes the spooled events by hand. */
function forge(change: (text: string) => string): void {
  const folder = join(daemon.home, 'spool')
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), change(readFileSync(join(folder, name), 'utf8')))
}

test('it stands in the queue, and is the same request when the agent tries again', async () => {
  expect(await alone(false)).not.toBe('allow')
  const asked = await waiting()
  expect(asked).toMatchObject([
    { state: 'pending', actor: 'agent:claude-code', session: 's1', root: daemon.project, input: { command: 'push it' } },
  ])
  const { reason } = await daemon.hook('PreToolUse', push)
  expect(reason).toContain(String(asked[0]?.id))
})

test('where the agent asks its own user, nobody else is asked', async () => {
  expect(await alone(true)).toBe('ask')
  expect(await waiting()).toEqual([])
})

test.each<[string, (text: string) => string]>([
  ['what a person would read was changed', text => text.replaceAll('push it', 'push me')],
  ['it was written for another call', text => text.replace(/"inputHash":"[0-9a-f]/, '"inputHash":"_')],
  ['its seal is gone', text => text.replace(/"seal":"[^"]*"/, '"seal":""')],
  ['its time is over', text => text.replace(/"happenedAt":\d+/, '"happenedAt":1')],
])('nobody is asked where %s', async (_what, change) => {
  await alone(false)
  forge(change)
  expect(await waiting()).toEqual([])
})
