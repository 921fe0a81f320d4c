import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from './fixtures/run-daemon.ts'

let daemon: TestDaemon
afterEach(() => daemon.stop())

test('checkpoints go to every place that config.toml names', async () => {
  daemon = await runDaemon({
    policy: 'permissions:\n  deny:\n    - Bash(rm *)\n',
    config: '[ledger]\nexport = ["away/last.note", "file:away/again.note"]\n',
  })
  await daemon.hook('PreToolUse', { session_id: 's1', cwd: daemon.project, tool_name: 'Bash', tool_input: { command: 'rm x' } })
  expect(await daemon.rpc('ledger.checkpoint')).toMatchObject({ result: { note: expect.stringContaining('\n') } })
  const last = readFileSync(join(daemon.home, 'checkpoint.note'), 'utf8')
  for (const name of ['last.note', 'again.note']) expect(readFileSync(join(daemon.home, 'away', name), 'utf8')).toBe(last)
})
