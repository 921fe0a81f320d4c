// tool_ledger does not punish ordinary work: a push of new commits is no repeat; the same push of the same commit is.
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'

let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: 'version: "2.0"\nguardrails:\n  tool_ledger: {}\n' })
  git('init', '-q')
})
afterAll(() => daemon.stop())

function git(...args: readonly string[]): void {
  const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.com']
  const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: daemon.project, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

let calls = 0

async function run(command: string): Promise<string | undefined> {
  calls += 1
  const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `t${calls}` }
  const { decision } = await daemon.hook('PreToolUse', call)
  if (decision === undefined) await daemon.hook('PostToolUse', { ...call, tool_response: 'done' })
  return decision
}

test('a second push is a repeat only of the same commits and tags', async () => {
  git('commit', '-q', '--allow-empty', '-m', 'one')
  expect([await run('git push'), await run('git push')]).toEqual([undefined, 'deny'])
  git('commit', '-q', '--allow-empty', '-m', 'two')
  expect([await run('git push'), await run('cd . && git push')]).toEqual([undefined, undefined])
  git('tag', 'v1')
  expect(await run('git push')).toBe(undefined)
})

test.each(['gh pr list', 'aws s3 ls', "psql -c 'select 1'"])('%s may be asked again', async command => {
  expect([await run(command), await run(command)]).toEqual([undefined, undefined])
})
