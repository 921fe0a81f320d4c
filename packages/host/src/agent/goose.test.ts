import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTestIo } from '../command/fixtures/test-io.ts'
import { runProgram } from '../command/program.ts'
import { withPrompt } from '../supervisor/prompt-argument.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-goose-'))
const project = join(folder, 'project')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function belay(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { HOME: join(folder, 'user'), BELAY_HOME: join(folder, 'belay'), PATH: '/usr/bin:/bin', BELAY_NO_AUTOSTART: '1' }
  const { io, written } = createTestIo({ env, cwd: project, etc: join(folder, 'etc') })
  const code = await runProgram(argv, io)
  return { code, ...written }
}

test('import finds the hooks of every plugin, and ours are none of them', async () => {
  const hooks = join(project, '.agents', 'plugins', 'other', 'hooks')
  mkdirSync(hooks, { recursive: true })
  mkdirSync(join(project, '.git'))
  const entry = { matcher: 'developer__shell', hooks: [{ type: 'command', command: './check.sh' }] }
  writeFileSync(join(hooks, 'hooks.json'), JSON.stringify({ hooks: { PreToolUse: [entry] } }))
  await belay('install', 'goose', '--scope', 'project')
  const done = await belay('import', 'goose', '--scope', 'project')
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining('0 rules and 0 hooks') })
  expect(done.out.match(/^skipped .*$/gm)).toEqual([expect.stringContaining("check.sh: it reads Goose's own names")])
})

test('only `goose run` takes a prompt', () => {
  expect(withPrompt(['goose', 'run', '-t', 'fix'], 'P')).toEqual(['goose', 'run', '-t', 'P'])
  expect(withPrompt(['goose', 'session'], 'P')).toBeNull()
})
