// What the agents run before a tool, by the shell that they run it with: whatever has become of the client, it refuses as the agent obeys.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findAgent } from '@belay/core/adapter'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { clineFiles } from '../agent/generated/cline.ts'
import { hookCommand, isOurCommand, ourProgram } from '../agent/hook-command.ts'

const folder = mkdtempSync(join(tmpdir(), "belay hook's-"))
const shim = join(folder, 'belay-hook')

beforeEach(() => rmSync(shim, { recursive: true, force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const client = (text: string, mode = 0o755) => writeFileSync(shim, text, { mode })

const lost: readonly [string, () => void][] = [
  ['is gone', () => undefined],
  ['may not be run', () => client('#!/bin/sh\n', 0o644)],
  ['is empty', () => client('')],
  ['is a folder', () => mkdirSync(shim)],
]

function runLine(agentId: string, event: string) {
  const agent = findAgent(agentId)
  if (agent === null) throw new Error(agentId)
  return spawnSync('/bin/sh', ['-c', hookCommand(shim, agent, event)], { input: '{}', encoding: 'utf8' })
}

describe('the line before a tool', () => {
  test.each(lost)('refuses when the client %s, and says what to do', (_title, lose) => {
    lose()
    expect(runLine('windsurf', 'pre_run_command')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^Tool denied: .*belay\.cjs install windsurf.*belay\.cjs uninstall windsurf/m),
    })
  })

  test('names a command that can be run as it stands', () => {
    const told = / can put it back \((.+?) install windsurf\)/.exec(runLine('windsurf', 'pre_run_command').stderr)?.[1] ?? ''
    const { status, stdout } = spawnSync('/bin/sh', ['-c', `${told} --version`], { env: { PATH: process.env.PATH }, encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+/)])
  })

  test.each([
    ['claude-code', 'PreToolUse'],
    ['windsurf', 'pre_run_command'],
  ] as const)('of %s at %s says by which name it calls Belay', (id, event) => {
    const agent = findAgent(id)
    if (agent === null) throw new Error(id)
    for (const name of ['belay', '/opt/belay.cjs', "'/opt/Ann'\\''s tools/belay.cjs'"])
      expect(ourProgram(hookCommand(shim, agent, event, name))).toBe(name)
  })

  test('tells the client what it is called for', () => {
    client('#!/bin/sh\necho "$@"\nexit 90\n')
    const told = '--agent codex --event PreToolUse --deadline-ms 100000 --proof 90\n'
    expect(runLine('codex', 'PreToolUse')).toMatchObject({ status: 0, stdout: told })
  })

  test.each(['claude-code', 'codex', 'gemini'] as const)('of %s is known as ours again', id => {
    const agent = findAgent(id)
    expect(agent !== null && isOurCommand(hookCommand(shim, agent, 'PreToolUse'))).toBe(true)
  })
})

describe('Cline, which takes an exit code for a failure and runs the tool', () => {
  const path = join(folder, 'PreToolUse')

  function runFile() {
    const place = { scope: 'project', env: {}, userHome: folder, projectRoot: folder, shim } as const
    const file = clineFiles(place).find(each => each.path.endsWith('/PreToolUse'))
    if (file?.kind !== 'own') throw new Error('Cline has no file before a tool')
    writeFileSync(path, file.text, { mode: 0o755 })
    const { status, stdout, stderr } = spawnSync(path, { input: '{"a":1}', encoding: 'utf8' })
    return { status, said: stdout === '' ? null : JSON.parse(stdout), stderr }
  }

  test.each(lost)('is told in JSON when the client %s', (_title, lose) => {
    lose()
    expect(runFile()).toMatchObject({ status: 0, said: { cancel: true, errorMessage: expect.stringContaining('belay.cjs install cline') } })
  })

  test('is told a refusal by exit code in JSON, with its reason', () => {
    client("#!/bin/sh\necho 'Tool denied: the daemon does not answer' >&2\nexit 92\n")
    expect(runFile()).toEqual({
      status: 0,
      said: { cancel: true, errorMessage: 'Tool denied: the daemon does not answer' },
      stderr: 'Tool denied: the daemon does not answer\n',
    })
  })

  test.each([
    ['quotes', 'echo \'Tool denied: "x" is no \\y\' >&2; exit 92'],
    ['lines', "printf 'a\\nb\\n' >&2; exit 92"],
    ['nothing', 'exit 92'],
    ['not proved', 'echo why >&2; exit 2'],
    ['a signal', 'kill -9 $$'],
  ])('and where the reason is %s, what to do', (_title, script) => {
    client(`#!/bin/sh\n${script}\n`)
    expect(runFile()).toMatchObject({ status: 0, said: { cancel: true, errorMessage: expect.stringContaining('belay.cjs install cline') } })
  })

  test('gets the answer of the client as it is, and the client the payload', () => {
    client('#!/bin/sh\ncat\necho "a warning" >&2\nexit 90\n')
    expect(runFile()).toEqual({ status: 0, said: { a: 1 }, stderr: 'a warning\n' })
    client('#!/bin/sh\nexit 90\n')
    expect(runFile()).toEqual({ status: 0, said: null, stderr: '' })
  })
})
