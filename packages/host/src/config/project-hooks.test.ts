import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type GenesisPolicy, parseGenesis } from '@belay/core/policy'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { homePaths } from './home.ts'
import { loadHookFiles } from './project-hooks.ts'
import { addTrust } from './trust.ts'

let base: string

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'belay-hooks-'))
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

const HOOK = '[[hooks]]\nevent = "PreToolUse"\nname = "check"\n[hooks.shell]\ncommand = "true"\n'

function write(path: string, text: string): string {
  const file = join(base, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

function load(policies: readonly GenesisPolicy[] = []): ReturnType<typeof loadHookFiles> {
  return loadHookFiles({ root: join(base, 'repo'), home: join(base, 'home'), policies })
}

function inertOf(loaded: ReturnType<typeof loadHookFiles>): (string | null)[] {
  return loaded.hooks.map(({ inert }) => inert)
}

test('no files, no hooks', () => {
  expect(load()).toEqual({
    hooks: [],
    diagnostics: [],
    files: [join(base, 'home', 'hooks.toml'), join(base, 'repo', '.belay', 'hooks.toml')],
  })
})

test("the user's hooks run, the project's once they are trusted", () => {
  write('home/hooks.toml', HOOK)
  const file = write('repo/.belay/hooks.toml', HOOK)
  expect(inertOf(load())).toEqual([null, `${file} is not trusted: its hooks do not run until \`belay policy trust\``])
  addTrust(homePaths(join(base, 'home')).trust, file, createHash('sha256').update(HOOK).digest('hex'))
  expect(inertOf(load())).toEqual([null, null])
  expect(load().hooks.map(({ hook }) => [hook.event, hook.scope, hook.name, hook.place?.line])).toEqual([
    ['PreToolUse', 'session', 'check', 1],
    ['PreToolUse', 'session', 'check', 1],
  ])
})

test('a policy that names its sources is obeyed', () => {
  write('home/hooks.toml', HOOK)
  const policyOf = (hooksFrom: string): GenesisPolicy => {
    const parsed = parseGenesis(`version: "2.0"\nhooks_from: [${hooksFrom}]\n`, 'genesis.key')
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
    return parsed.policy
  }
  expect(inertOf(load([policyOf('genesis')]))).toEqual(['genesis.key takes hooks from genesis only'])
  expect(inertOf(load([policyOf('genesis, hooks_toml')]))).toEqual([null])
})

test('a file that cannot be read or does not parse is reported', () => {
  mkdirSync(join(base, 'home', 'hooks.toml'), { recursive: true })
  write('repo/.belay/hooks.toml', '[[hooks\n')
  const { hooks, diagnostics } = load()
  expect(hooks).toEqual([])
  expect(diagnostics.filter(each => each.severity === 'error').map(each => each.place.file)).toEqual([
    join(base, 'home', 'hooks.toml'),
    join(base, 'repo', '.belay', 'hooks.toml'),
  ])
})
