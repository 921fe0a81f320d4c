// The log of the daemon on a small disk that is full. Needs the right to mount.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLog } from '../command/log-file.ts'
import type { LogLine } from '../terminal/log-line.ts'
import { runDaemon, type TestDaemon } from './fixtures/run-daemon.ts'

let daemon: TestDaemon
let folder: string

beforeAll(async () => {
  daemon = await runDaemon({ policy: 'version: "2.0"\npermissions: {default: none, actors: {"agent:*": {deny: ["Bash(rm *)"]}}}\n' })
  folder = join(daemon.home, 'log')
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder])
})
afterAll(async () => {
  execFileSync('umount', ['-l', folder])
  await daemon.stop()
})

test('calls are judged all the same, and the gap is an entry once there is room', async () => {
  const ballast = join(folder, 'ballast')
  expect(() => {
    for (;;) appendFileSync(ballast, Buffer.alloc(4096))
  }).toThrow(/ENOSPC/)
  const line: LogLine = { level: 'info', message: 'x'.repeat(5000) }
  expect(() => openLog(join(folder, 'daemon.log')).write(line)).toThrow(/ENOSPC/)
  for (let turn = 0; turn < 3; turn++) {
    writeFileSync(join(daemon.home, 'config.toml'), `broken ${turn} ${'x'.repeat(5000)}`)
    const reply = await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'rm x' }, tool_use_id: 't' })
    expect(reply.decision).toBe('deny')
  }
  rmSync(ballast)
  await expect
    .poll(async () => (await daemon.entries('gap')).map(({ read }) => read))
    .toMatchObject([{ what: 'log', why: expect.stringContaining('ENOSPC') }])
})
