// A policy that disappears is not "no policy": every way in which a trusted file can go away or change, and what holds then.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { effectivePermissions } from '@belay/core/policy'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadHookFiles } from '../guard/hook-sources.ts'
import { type LoadedPolicies, loadPolicies } from './genesis.ts'
import { homePaths } from './home.ts'
import { findProject } from './project.ts'
import { addTrust, dropTrust, hashOf, readTrust, renewTrust } from './trust.ts'

let base: string
let home: string
let repo: string
let file: string

const TEXT = 'version: "2.0"\npermissions: {default: allow, actors: {"agent:*": {allow: ["Bash(git *)"], deny: ["Bash(rm *)"]}}}\n'
const OTHER = 'version: "2.0"\npermissions: {default: allow, actors: {"agent:*": {allow: ["Bash(*)"], deny: ["Bash(curl *)"]}}}\n'
const HOOK = '[[hooks]]\nevent = "PreToolUse"\nname = "check"\n[hooks.shell]\ncommand = "true"\n'

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'belay-kept-')))
  home = join(base, '.belay')
  repo = join(base, 'repo')
  file = join(repo, '.belay', 'genesis.key')
  mkdirSync(join(repo, 'src'), { recursive: true })
  write(file, TEXT)
  addTrust(homePaths(home).trust, file, hashOf(TEXT))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const load = (cwd = repo, remember = false): LoadedPolicies => loadPolicies({ cwd, home, etc: join(base, 'etc'), remember })

function rulesIn(cwd = repo): { allow: string[]; deny: string[] } {
  const { allow, deny } = effectivePermissions(load(cwd).policies, 'agent:x')
  return { allow: allow.map(({ text }) => text), deny: deny.map(({ text }) => text) }
}

const KEPT = { allow: ['Bash(git *)'], deny: ['Bash(rm *)'] }

describe('what was trusted holds when the file', () => {
  test.each<[string, () => void, string]>([
    ['is removed', () => rmSync(file), 'removed'],
    ['is removed with its folder', () => rmSync(dirname(file), { recursive: true }), 'removed'],
    ['is emptied', () => write(file, ''), 'broken'],
    ['is broken', () => write(file, 'version: "2.0"\npermisions: {}\n'), 'broken'],
    [
      'becomes a folder',
      () => {
        rmSync(file)
        mkdirSync(file)
      },
      'broken',
    ],
    [
      'becomes a link to nothing',
      () => {
        rmSync(file)
        symlinkSync('/nowhere', file)
      },
      'removed',
    ],
    [
      'becomes a link to itself',
      () => {
        rmSync(file)
        symlinkSync('genesis.key', file)
      },
      'broken',
    ],
    [
      'has a link to itself for its folder',
      () => {
        rmSync(dirname(file), { recursive: true })
        symlinkSync('.belay', dirname(file))
      },
      'broken',
    ],
    ['has its folder renamed', () => renameSync(dirname(file), join(repo, '.was')), 'removed'],
    [
      'has its folder replaced by a file',
      () => {
        rmSync(dirname(file), { recursive: true })
        write(dirname(file), '')
      },
      'removed',
    ],
  ])('%s', (_how, change, kind) => {
    change()
    expect(rulesIn()).toEqual(KEPT)
    expect(rulesIn(join(repo, 'src'))).toEqual(KEPT)
    expect(load().files.map(({ change: found }) => found?.kind)).toEqual([kind])
    expect(load().locked).toBe(null)
  })

  test.each<[string, () => void]>([
    ['is edited', () => write(file, OTHER)],
    [
      'is replaced by a link to another',
      () => {
        rmSync(file)
        symlinkSync(write(join(repo, 'other.key'), OTHER), file)
      },
    ],
    [
      'has its folder replaced by a link',
      () => {
        rmSync(dirname(file), { recursive: true })
        write(join(repo, 'elsewhere', 'genesis.key'), OTHER)
        symlinkSync(join(repo, 'elsewhere'), dirname(file))
      },
    ],
  ])('%s, beside what the new text tightens', (_how, change) => {
    change()
    expect(rulesIn()).toEqual({ allow: KEPT.allow, deny: ['Bash(rm *)', 'Bash(curl *)'] })
    expect(load().files.map(({ change: found }) => found?.kind)).toEqual(['edited'])
  })

  test('goes back to an earlier trusted version: the last one accepted holds', () => {
    write(file, OTHER)
    addTrust(homePaths(home).trust, file, hashOf(OTHER))
    expect(rulesIn()).toEqual({ allow: ['Bash(*)'], deny: ['Bash(curl *)'] })
    write(file, TEXT)
    expect(rulesIn()).toEqual({ allow: ['Bash(*)'], deny: ['Bash(curl *)', 'Bash(rm *)'] })
  })

  test('is shadowed by a policy in the other place', () => {
    renameSync(dirname(file), join(repo, '.mentu'))
    addTrust(homePaths(home).trust, join(repo, '.mentu', 'genesis.key'), hashOf(TEXT))
    dropTrust(homePaths(home).trust, file)
    write(file, OTHER)
    expect(rulesIn()).toEqual({ allow: KEPT.allow, deny: ['Bash(curl *)', 'Bash(rm *)'] })
  })

  test('is gone and a person accepts that', () => {
    rmSync(file)
    expect(dropTrust(homePaths(home).trust, file)).toBe(true)
    expect(load()).toMatchObject({ policies: [], files: [], locked: null })
    expect(dropTrust(homePaths(home).trust, file)).toBe(false)
  })
})

describe('which project a directory belongs to', () => {
  test('the git folder renamed and the policy folder gone', () => {
    mkdirSync(join(repo, '.git'))
    rmSync(dirname(file), { recursive: true })
    renameSync(join(repo, '.git'), join(repo, '.git-away'))
    expect(findProject(join(repo, 'src'), home)).toEqual({ root: repo, found: 'trusted', inner: null })
  })

  test('a folder that somebody makes below it does not lead out of it, its rules are added', () => {
    write(join(repo, 'src', '.belay', 'genesis.key'), OTHER)
    expect(findProject(join(repo, 'src'), home)).toEqual({ root: repo, found: 'trusted', inner: join(repo, 'src') })
    addTrust(homePaths(home).trust, join(repo, 'src', '.belay', 'genesis.key'), hashOf(OTHER))
    expect(findProject(join(repo, 'src'), home)).toEqual({ root: join(repo, 'src'), found: 'trusted', inner: null })
  })

  test('through a link, also when the policy is gone', () => {
    symlinkSync(repo, join(base, 'link'))
    rmSync(dirname(file), { recursive: true })
    expect(rulesIn(join(base, 'link', 'src'))).toEqual(KEPT)
  })

  test('a worktree of the same repository, with and without the file', () => {
    const git = (...words: string[]) => execFileSync('git', ['-C', repo, '-c', 'user.name=x', '-c', 'user.email=x@x', ...words])
    git('init', '-q')
    // Only a record that is made inside the repository knows of it.
    addTrust(homePaths(home).trust, file, hashOf(TEXT))
    git('add', '.')
    git('commit', '-qm', 'one')
    const tree = join(base, 'tree')
    git('worktree', 'add', '-q', tree)
    expect(rulesIn(tree)).toEqual(KEPT)
    rmSync(join(tree, '.belay'), { recursive: true })
    expect(rulesIn(tree)).toEqual(KEPT)
    expect(load(tree).files[0]?.change?.kind).toBe('removed')
    dropTrust(homePaths(home).trust, join(tree, '.belay', 'genesis.key'))
    expect(load(tree).policies).toEqual([])
    expect(rulesIn()).toEqual(KEPT)
  })

  test('one that never had a trusted policy has none', () => {
    const fresh = join(base, 'fresh')
    const made = write(join(fresh, '.belay', 'genesis.key'), TEXT)
    expect(load(fresh).policies.map(({ trusted }) => trusted)).toEqual([false])
    rmSync(made)
    expect(load(fresh).policies).toEqual([])
  })
})

describe("the user's own policy", () => {
  test('is accepted as it is first found by the daemon, and holds when it goes', () => {
    const own = write(homePaths(home).policy, TEXT)
    rmSync(file)
    dropTrust(homePaths(home).trust, file)
    load(repo, true)
    rmSync(own)
    expect(rulesIn()).toEqual(KEPT)
    write(own, OTHER)
    expect(rulesIn()).toEqual({ allow: KEPT.allow, deny: ['Bash(rm *)', 'Bash(curl *)'] })
  })
})

describe('hooks.toml', () => {
  const hooksNow = () => {
    const files = loadHookFiles({ root: repo, home, userHome: base }, [], false)
    const hooks = files.flatMap(each => each.hooks)
    return [hooks.map(({ hook, inert }) => [hook.name, inert === null]), files.flatMap(({ change }) => change?.kind ?? [])]
  }

  test('what was trusted runs on', () => {
    const hooks = write(join(repo, '.belay', 'hooks.toml'), HOOK)
    addTrust(homePaths(home).trust, hooks, hashOf(HOOK))
    expect(hooksNow()).toEqual([[['check', true]], []])
    rmSync(hooks)
    expect(hooksNow()).toEqual([[['check', true]], ['removed']])
    write(hooks, HOOK.replace('check', 'other'))
    expect(hooksNow()).toEqual([
      [
        ['check', true],
        ['other', false],
      ],
      ['edited'],
    ])
    write(hooks, '')
    expect(hooksNow()).toEqual([[['check', true]], ['broken']])
  })

  test('a policy that nobody trusts does not switch hooks off', () => {
    const own = write(join(home, 'hooks.toml'), HOOK)
    const { policies } = load()
    const closing = policies.map(policy => ({ ...policy, hooksFrom: ['genesis'] as const }))
    const inert = (trusted: boolean) =>
      loadHookFiles(
        { root: repo, home, userHome: base },
        closing.map(policy => ({ ...policy, trusted })),
        false,
      ).flatMap(({ hooks }) => hooks.map(row => row.inert))
    expect(inert(false)).toEqual([null])
    expect(inert(true)).toEqual([expect.stringContaining('takes hooks from genesis only')])
    rmSync(own)
  })
})

describe('the store', () => {
  const store = () => readTrust(homePaths(home).trust)

  test.each<[string, (text: string) => string | null]>([
    ['a text is changed', text => text.replace('Bash(rm *)', 'Bash(no *)')],
    ['the seal is', text => text.replace(/"seal": "../, '"seal": "00')],
    ['it is of an earlier form', () => JSON.stringify({ version: 1, files: { [file]: [hashOf(OTHER)] } })],
    ['it is not JSON', () => '{'],
    ['it is empty', () => ''],
    ['it is gone', () => null],
  ])('trusts nothing and asks about all when %s', (_how, change) => {
    const path = homePaths(home).trust
    const text = change(readFileSync(path, 'utf8'))
    if (text === null) rmSync(path)
    else writeFileSync(path, text)
    expect(store().problem).not.toBe(null)
    const permissions = effectivePermissions(load().policies, 'agent:x')
    expect([permissions.default, permissions.allow, permissions.deny.map(rule => rule.text)]).toEqual([
      'ask',
      [],
      expect.arrayContaining(['Bash(rm *)']),
    ])
    expect(effectivePermissions(load(base).policies, 'agent:x').default).toBe('ask')
  })

  test('one that is copied from another home is not ours', () => {
    const other = join(base, 'other-home')
    addTrust(homePaths(other).trust, file, hashOf(TEXT))
    writeFileSync(homePaths(home).trust, readFileSync(homePaths(other).trust))
    expect(store().problem).not.toBe(null)
  })

  test('hashes of an earlier version become texts, once', () => {
    const early = join(base, 'early')
    const path = homePaths(early).trust
    write(path, JSON.stringify({ version: 1, files: { [file]: ['aaa', hashOf(TEXT)], [join(base, 'gone')]: ['bbb'] } }))
    renewTrust(path)
    rmSync(file)
    expect(loadPolicies({ cwd: repo, home: early, etc: base }).policies.map(({ trusted, hash }) => [trusted, hash])).toEqual([
      [true, hashOf(TEXT)],
    ])
  })
})
