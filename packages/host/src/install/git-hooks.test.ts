// The hooks of git, run by real git: an agent's commits and branch updates are judged, a person's are not.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { findTarget } from '../agent/agents.ts'
import { install } from './install.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-git-'))
const project = join(folder, 'my "project"')
const shim = join(folder, 'bin', 'belay-hook')
const asked = join(folder, 'asked.jsonl')

/** Stands in for the client: keeps what it was asked and refuses what the test names. */
function answer(refused: RegExp | null): void {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const pattern = refused === null ? '^$' : refused.source
  const script = `#!/bin/sh\npayload=$(cat)\nprintf '%s %s\\n' "$4" "$payload" >> '${asked}'\nif printf '%s' "$payload" | grep -Eq '${pattern}'; then echo 'Tool denied: no' >&2; exit 92; fi\nexit 90\n`
  writeFileSync(shim, script, { mode: 0o755 })
}

function git(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const identity = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.invalid',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.invalid',
  }
  return spawnSync('git', [...args], { cwd: project, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: folder, ...identity, ...env } })
}

function installed() {
  const target = findTarget('git')
  if (target === null) throw new Error('git')
  const place = { scope: 'project', env: {}, userHome: folder, projectRoot: project, shim } as const
  return install({ target, place, home: join(folder, 'belay'), dryRun: false })
}

const AGENT = { CLAUDECODE: '1' }
const commit = (message: string, ...more: readonly string[]) => ['commit', '-q', '--allow-empty', '-m', message, ...more]

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(project, { recursive: true })
  git(['init', '-q', '-b', 'main'])
  answer(null)
  expect(installed()).toMatchObject({ ok: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("a person's commit is not judged", () => {
  answer(/./)
  expect(git(commit('one')).status).toBe(0)
})

test("an agent's commit is judged where PATH is empty, too", () => {
  answer(/git commit/)
  const program = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim()
  const env = { PATH: '', HOME: folder, ...AGENT }
  const { status, stderr } = spawnSync(program, ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...commit('one')], {
    cwd: project,
    env,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([1, 'Tool denied: no\n'])
})

test.each(['', null])("an agent's commit is refused when the client is lost (%j), a person's is not", text => {
  rmSync(shim)
  if (text !== null) writeFileSync(shim, text, { mode: 0o755 })
  const { status, stderr } = git(commit('one'), AGENT)
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^Tool denied: .*belay\.cjs install git/m)])
  expect(git(commit('two')).status).toBe(0)
})

test("an agent's commit is judged, and what is asked is JSON", () => {
  expect(git(commit('one'), AGENT).status).toBe(0)
  const lines = spawnSync('cat', [asked], { encoding: 'utf8' }).stdout.trim().split('\n')
  const [event, ...rest] = lines[0]?.split(' ') ?? []
  expect([event, JSON.parse(rest.join(' '))]).toEqual([
    'pre-commit',
    { session_id: `git ${project}`, cwd: project, tool_name: 'Bash', tool_input: { command: 'git commit' } },
  ])
  expect(lines.some(line => line.includes('git update-ref refs/heads/main'))).toBe(true)
})

test('a refused commit does not happen', () => {
  answer(/git commit/)
  const { status, stderr } = git(commit('one'), AGENT)
  expect([status === 0, stderr.includes('Tool denied: no'), git(['log']).status === 0]).toEqual([false, true, false])
})

test('--no-verify does not get past the branch', () => {
  answer(/update-ref/)
  expect(git(commit('one', '--no-verify'), AGENT).status).not.toBe(0)
  expect(git(['log']).status).not.toBe(0)
})

describe('a push', () => {
  beforeEach(() => {
    git(commit('one'))
    spawnSync('git', ['init', '-q', '--bare', join(folder, 'remote.git')])
    git(['remote', 'add', 'origin', join(folder, 'remote.git')])
  })
  const asBefore = () => rmSync(asked, { force: true })
  const commands = () => [...readFileSync(asked, 'utf8').matchAll(/"command":"(git push.*?)"/g)].map(match => match[1])

  test('that is refused does not happen', () => {
    answer(/git push origin/)
    expect(git(['push', '-q', 'origin', 'main'], AGENT).status).not.toBe(0)
    expect(git(['push', '-q', 'origin', 'main']).status).toBe(0)
  })

  test('is judged with the branches it updates', () => {
    git(['push', '-q', 'origin', 'main', 'main:other'], AGENT)
    expect(commands()).toEqual(['git push origin main other'])
  })

  test('that throws commits away is a forced one, however it was asked for', () => {
    git(['push', '-q', 'origin', 'main'])
    git(commit('two', '--amend'))
    asBefore()
    expect(git(['push', '-q', 'origin', '+main'], AGENT).status).toBe(0)
    expect(commands()).toEqual(['git push --force origin main'])
  })

  test('that deletes says so', () => {
    git(['push', '-q', 'origin', 'main', 'main:other'])
    asBefore()
    git(['push', '-q', 'origin', '--delete', 'other'], AGENT)
    expect(commands()).toEqual(['git push origin :other'])
  })
})

test('hooks are put where git looks for them', () => {
  git(['config', 'core.hooksPath', '.husky'])
  expect(installed()).toMatchObject({ ok: true })
  answer(/git commit/)
  expect(git(commit('one'), AGENT).status).not.toBe(0)
})
