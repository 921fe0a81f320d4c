import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { install, uninstall } from './install.ts'
import type { InstallPlace, InstallScope, Target } from './target.ts'
import { findTarget, listTargets } from './target-table.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-install-'))
const home = join(folder, 'belay')
const shim = join(home, 'bin', 'belay-hook')
const placeIn = (scope: InstallScope): InstallPlace => ({
  scope,
  env: {},
  userHome: join(folder, 'user'),
  projectRoot: join(folder, 'project'),
  shim,
})

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'user'), { recursive: true })
  mkdirSync(join(folder, 'project', '.git', 'hooks'), { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function targetOf(agent: string): Target {
  const target = findTarget(agent)
  if (target === null) throw new Error(agent)
  return target
}

const run = (agent: string, scope: InstallScope = 'user', dryRun = false) =>
  install({ target: targetOf(agent), place: placeIn(scope), home, dryRun })
const undo = (agent: string, scope: InstallScope = 'user') =>
  uninstall({ target: targetOf(agent), place: placeIn(scope), home, dryRun: false })

function tree(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    files.map(file => {
      const path = join(file.parentPath, file.name)
      return [path.slice(root.length), file.isFile() ? readFileSync(path, 'utf8') : '/']
    }),
  )
}

const everywhere = listTargets().flatMap(target => target.scopes.map(scope => [target.agent, scope] as const))

describe.each(everywhere)('%s, %s scope', (agent, scope) => {
  test('install, again, uninstall: again changes nothing, uninstall leaves nothing', () => {
    const before = [tree(join(folder, 'user')), tree(join(folder, 'project'))]
    const first = run(agent, scope)
    expect(first.ok && first.changes.length).toBeGreaterThan(0)
    const after = [tree(join(folder, 'user')), tree(join(folder, 'project'))]
    expect(run(agent, scope)).toEqual({ ok: true, changes: [] })
    expect([tree(join(folder, 'user')), tree(join(folder, 'project'))]).toEqual(after)
    expect(undo(agent, scope).ok).toBe(true)
    expect([tree(join(folder, 'user')), tree(join(folder, 'project'))]).toEqual(before)
    expect(undo(agent, scope)).toEqual({ ok: true, changes: [] })
  })

  test('a dry run writes nothing', () => {
    const before = tree(folder)
    expect(run(agent, scope, true).ok).toBe(true)
    expect(tree(folder)).toEqual(before)
  })

  test('every script and plugin of ours is well formed', () => {
    for (const file of targetOf(agent).files(placeIn(scope))) {
      if (file.kind === 'shared') continue
      mkdirSync(dirname(file.path), { recursive: true })
      writeFileSync(file.path, file.text)
      const checks = {
        js: ['node', ['--input-type=module', '--check']],
        json: ['node', ['-e', 'JSON.parse(require("fs").readFileSync(0))']],
      } as const
      const kind = file.path.endsWith('.js') ? 'js' : file.path.endsWith('.json') ? 'json' : null
      const [command, args] = kind === null ? (['sh', ['-n']] as const) : checks[kind]
      expect(spawnSync(command, [...args], { input: file.text, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
    }
  })
})

const settings = join(folder, 'user', '.claude', 'settings.json')
function write(text: string): void {
  mkdirSync(dirname(settings), { recursive: true })
  writeFileSync(settings, text)
}

test('uninstall gives back the very bytes, and the mode', () => {
  const text = '\uFEFF{\r\n\t"a": [ ],  // odd\r\n\t"hooks": { "Stop": [ ], },\r\n}'
  write(text)
  chmodSync(settings, 0o600)
  run('claude-code')
  expect([readFileSync(settings, 'utf8') === text, statSync(settings).mode & 0o777]).toEqual([false, 0o600])
  undo('claude-code')
  expect([readFileSync(settings, 'utf8'), statSync(settings).mode & 0o777]).toEqual([text, 0o600])
})

test('what was changed since the installation stays', () => {
  write('{ "hooks": { "Stop": [ ] } }\n')
  run('claude-code')
  const installed = readFileSync(settings, 'utf8')
  writeFileSync(settings, installed.replace('{', '{ "model": "opus",'))
  run('claude-code')
  undo('claude-code')
  expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({ model: 'opus', hooks: { Stop: [] } })
})

test('a new client replaces the old lines instead of adding to them', () => {
  run('claude-code')
  const place = { ...placeIn('user'), shim: '/elsewhere/bin/belay-hook' }
  install({ target: targetOf('claude-code'), place, home, dryRun: false })
  const { hooks } = JSON.parse(readFileSync(settings, 'utf8'))
  expect(hooks.PreToolUse).toHaveLength(1)
  expect(hooks.PreToolUse[0].hooks[0].command).toContain('/elsewhere/')
  undo('claude-code')
  expect(existsSync(settings)).toBe(false)
})

test('a link to the settings stays a link', () => {
  mkdirSync(dirname(settings), { recursive: true })
  const real = join(folder, 'user', 'dotfiles.json')
  writeFileSync(real, '{}')
  symlinkSync(real, settings)
  run('claude-code')
  expect(readFileSync(real, 'utf8')).toContain('belay-hook')
  undo('claude-code')
  expect([readFileSync(real, 'utf8'), readFileSync(settings, 'utf8')]).toEqual(['{}', '{}'])
})

test('a broken file is refused with its line and left alone', () => {
  write('{\n  "a": 1,\n  oops\n}\n')
  expect(run('claude-code')).toMatchObject({ ok: false, path: settings, line: 3 })
  expect(readFileSync(settings, 'utf8')).toBe('{\n  "a": 1,\n  oops\n}\n')
})

test("somebody else's git hook is not touched, and nothing else is written either", () => {
  const hook = join(folder, 'project', '.git', 'hooks', 'pre-push')
  writeFileSync(hook, '#!/bin/sh\nexit 0\n')
  const before = tree(folder)
  expect(run('git', 'project')).toMatchObject({ ok: false, path: hook })
  expect(tree(folder)).toEqual(before)
})

test('the configuration folders that the environment names are used', () => {
  const place = { ...placeIn('user'), env: { CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x', XDG_CONFIG_HOME: '/g' } }
  const paths = ['claude-code', 'codex', 'opencode'].flatMap(agent => targetOf(agent).files(place)).map(({ path }) => path)
  expect(paths).toEqual(['/c/settings.json', '/x/hooks.json', '/g/opencode/plugins/belay.js'])
})

test('each agent has its timeout in its own unit, above our deadline', () => {
  const first = (agent: string) => {
    const [file] = targetOf(agent).files(placeIn('user'))
    return file?.kind === 'shared' ? file.hooks.entries[0] : undefined
  }
  expect(['claude-code', 'gemini', 'copilot', 'cursor'].map(agent => first(agent)?.value)).toMatchObject([
    {
      hooks: [
        {
          type: 'command',
          command: expect.stringContaining(`; exec '${shim}' --agent claude-code --event PreToolUse --deadline-ms 100000`),
          timeout: 120,
        },
      ],
    },
    { hooks: [{ timeout: 60_000 }] },
    { timeoutSec: 120 },
    { timeout: 120, failClosed: true },
  ])
})

describe('the status line of Claude Code', () => {
  const file = () => join(folder, 'user', '.claude', 'settings.json')
  const settings = () => JSON.parse(readFileSync(file(), 'utf8'))
  const write = (value: unknown) => {
    mkdirSync(dirname(file()), { recursive: true })
    writeFileSync(file(), `${JSON.stringify(value, null, 2)}\n`)
  }
  const ours = { type: 'command', command: expect.stringMatching(/^BELAY_HOME='.*' exec '.*' '.*belay\.cjs' statusline$/) }

  test('is set where there is none', () => {
    run('claude-code')
    expect(settings().statusLine).toEqual(ours)
    expect(settings().fileSuggestion).toBeUndefined()
  })

  test('stays where a person has one', () => {
    write({ statusLine: { type: 'command', command: 'mine' } })
    run('claude-code')
    expect(settings().statusLine).toEqual({ type: 'command', command: 'mine' })
  })

  test('is left alone in a project', () => {
    run('claude-code', 'project')
    expect(JSON.parse(readFileSync(join(folder, 'project', '.claude', 'settings.json'), 'utf8')).statusLine).toBeUndefined()
  })

  test('goes again, also from a file that was changed since, and a new one of somebody else stays', () => {
    write({ model: 'opus' })
    install({
      target: targetOf('claude-code'),
      place: { ...placeIn('user'), settings: ['statusLine', 'fileSuggestion'] },
      home,
      dryRun: false,
    })
    expect(settings().fileSuggestion.command).toMatch(/ files$/)
    write({ ...settings(), theme: 'dark' })
    undo('claude-code')
    expect(settings()).toEqual({ model: 'opus', theme: 'dark' })
    run('claude-code')
    write({ ...settings(), statusLine: { type: 'command', command: 'mine' } })
    undo('claude-code')
    expect(settings()).toEqual({ model: 'opus', theme: 'dark', statusLine: { type: 'command', command: 'mine' } })
  })
})
