import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { findTarget, listTargets } from '../agent/agents.ts'
import { type InstallPlace, type InstallScope, OWN_MARK, type Target } from '../agent/target.ts'
import { install, uninstall } from './install.ts'

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
  spawnSync('git', ['init', '-q', join(folder, 'project')])
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

test.each([0o600, 0o666])('uninstall gives back the very bytes, and the mode %i', mode => {
  const text = '\uFEFF{\r\n\t"a": [ ],  // odd\r\n\t"hooks": { "Stop": [ ], },\r\n}'
  write(text)
  chmodSync(settings, mode)
  run('claude-code')
  expect([readFileSync(settings, 'utf8') === text, statSync(settings).mode & 0o777]).toEqual([false, mode])
  undo('claude-code')
  expect([readFileSync(settings, 'utf8'), statSync(settings).mode & 0o777]).toEqual([text, mode])
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

test('a link that leads nowhere is refused and stays', () => {
  mkdirSync(dirname(settings), { recursive: true })
  symlinkSync(join(folder, 'user', 'gone', 'dotfiles.json'), settings)
  expect(run('claude-code')).toMatchObject({
    ok: false,
    path: settings,
    why: expect.stringContaining('a link to a file that is not there'),
  })
  expect(readlinkSync(settings)).toBe(join(folder, 'user', 'gone', 'dotfiles.json'))
})

test('a broken file is refused with its line and left alone', () => {
  write('{\n  "a": 1,\n  oops\n}\n')
  expect(run('claude-code')).toMatchObject({ ok: false, path: settings, line: 3 })
  expect(readFileSync(settings, 'utf8')).toBe('{\n  "a": 1,\n  oops\n}\n')
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
          command: expect.stringContaining(`; '${shim}' --agent claude-code --event PreToolUse --deadline-ms 100000 --proof 90; `),
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
  const ours = {
    type: 'command',
    command: expect.stringMatching(/^NODE_OPTIONS= NODE_COMPILE_CACHE= BELAY_HOME='.*' exec '.*' '.*belay\.cjs' statusline$/),
  }

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

describe('what cannot be read or written', () => {
  const settings = join(folder, 'user', '.gemini', 'settings.json')

  test('a folder in the place of the file', () => {
    mkdirSync(settings, { recursive: true })
    const refused = { ok: false, path: settings, why: 'it is a folder', line: null }
    expect([run('gemini'), undo('gemini')]).toEqual([refused, refused])
  })

  test('a file in the place of the folder: nothing is written down either', () => {
    writeFileSync(join(folder, 'user', '.gemini'), '')
    expect(run('gemini')).toEqual({ ok: false, path: settings, why: 'a part of this path is a file, not a folder', line: null })
    expect(existsSync(join(home, 'install', 'gemini-user.json'))).toBe(false)
  })

  test('the last of several files: those before it are put back', () => {
    const [first, last] = [join(folder, 'user', 'first'), join(folder, 'user', 'file', 'last')]
    writeFileSync(first, OWN_MARK)
    writeFileSync(join(folder, 'user', 'file'), '')
    const files = () => [first, last].map(path => ({ kind: 'own' as const, path, text: `${OWN_MARK} new` }))
    const target = { ...targetOf('kiro'), files }
    expect(install({ target, place: placeIn('user'), home, dryRun: false })).toMatchObject({ ok: false, path: last })
    expect(readFileSync(first, 'utf8')).toBe(OWN_MARK)
  })
})

describe('git', () => {
  test('no repository: nothing is written', () => {
    rmSync(join(folder, 'project', '.git'), { recursive: true })
    expect(run('git', 'project')).toEqual({ ok: false, path: join(folder, 'project'), why: 'it is not a git repository', line: null })
    expect(readdirSync(join(folder, 'project'))).toEqual([])
  })

  test('a project below the root of its repository', () => {
    const below = join(folder, 'project', 'packages', 'one')
    mkdirSync(below, { recursive: true })
    const done = install({ target: targetOf('git'), place: { ...placeIn('project'), projectRoot: below }, home, dryRun: false })
    expect(done.ok && done.changes.map(({ path }) => path)).toContain(join(folder, 'project', '.git', 'hooks', 'pre-push'))
  })

  test('a hook of somebody else stays, the others are written', () => {
    const theirs = join(folder, 'project', '.git', 'hooks', 'pre-commit')
    writeFileSync(theirs, '#!/bin/sh\nnpm test\n', { mode: 0o755 })
    const before = tree(join(folder, 'project'))
    const done = run('git', 'project')
    expect(done.ok && done.changes.map(({ path }) => path.split('/').at(-1))).toEqual(['pre-push', 'reference-transaction'])
    expect(readFileSync(theirs, 'utf8')).toBe('#!/bin/sh\nnpm test\n')
    expect(undo('git', 'project').ok).toBe(true)
    expect(tree(join(folder, 'project'))).toEqual(before)
  })
})
