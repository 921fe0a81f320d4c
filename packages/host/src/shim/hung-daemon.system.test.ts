// The real daemon is stopped (SIGSTOP) and goes on again. Each client judges as the daemon would, the first one tells the others, and all of
// that is forgotten as soon as the daemon works.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTortureDaemon, type TortureDaemon } from '../daemon/torture/fixtures/torture-daemon.ts'
import { buildNative, buildNode, buildPerl } from '../install/build-shim.ts'
import { hungFile } from '../wire/hung-daemon.ts'

const native = fileURLToPath(new URL('../../native/', import.meta.url))
const BUILDERS = { native: buildNative, perl: buildPerl, node: buildNode }
let daemon: TortureDaemon

beforeAll(async () => {
  daemon = await startTortureDaemon()
})
afterAll(() => daemon.stop())

async function call(client: string, command: string, id: string): Promise<string> {
  const { cli } = daemon
  const child = spawn(client, ['--agent', 'claude-code', '--event', 'PreToolUse'], {
    cwd: cli.project,
    env: { ...cli.env, CLAUDE_CODE_SESSION_ATTENDED: '1' },
  })
  let out = ''
  child.stdout.on('data', piece => {
    out += piece
  })
  child.stdin.end(JSON.stringify({ session_id: 's', cwd: cli.project, tool_name: 'Bash', tool_input: { command }, tool_use_id: id }))
  await new Promise(resolve => child.on('close', resolve))
  return out === '' ? 'none' : JSON.parse(out).hookSpecificOutput.permissionDecision
}

test.each(Object.entries(BUILDERS))('%s', async (kind, build) => {
  const { cli, paths, pid } = daemon
  const path = join(cli.folder, `client-${kind}`)
  expect(
    build({ path, home: cli.home, socket: paths.shimSocket, native, node: process.execPath, script: cli.bin, env: cli.env }),
  ).toBeNull()
  const commands = ['rm x', 'git push', 'ls', 'echo hi'].map((command, at) => ({ command, id: `${kind}-${at}` }))
  const expected = commands.map(({ command }) => daemon.expect({ tool: 'Bash', input: { command } }))
  const answers: string[] = []
  process.kill(pid, 'SIGSTOP')
  try {
    for (const { command, id } of commands) answers.push(await call(path, command, id))
    expect(existsSync(hungFile(paths.shimSocket))).toBe(true)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  expect(answers).toEqual(expected)
  while (existsSync(hungFile(paths.shimSocket))) await sleep(50)
  const spool = join(cli.home, 'spool')
  const before = readdirSync(spool).filter(name => name.endsWith('.json'))
  expect(await call(path, 'rm y', `${kind}-after`)).toBe('deny')
  const after = readdirSync(spool).filter(name => name.endsWith('.json') && !before.includes(name))
  expect(after).toEqual([])
  const recorded = async () => (await daemon.recorded()).map(({ id }) => id).filter(id => id.startsWith(`${kind}-`))
  while ((await recorded()).length < 5) await sleep(100)
  expect((await recorded()).toSorted()).toEqual([...commands.map(({ id }) => id), `${kind}-after`].toSorted())
  rmSync(path)
})
