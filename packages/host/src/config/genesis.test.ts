import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type LoadedPolicies, loadPolicies } from './genesis.ts'
import { findHome, homePaths } from './home.ts'
import { findProject, findProjectPolicy } from './project.ts'
import { addTrust, hashOf, isTrusted, readTrust } from './trust.ts'

let base: string
let home: string
let repo: string

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'belay-config-')))
  home = join(base, 'user', '.belay')
  repo = join(base, 'user', 'repo')
  mkdirSync(repo, { recursive: true })
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

function write(path: string, text: string | Buffer): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

function load(options: { cwd?: string; remember?: boolean } = {}): LoadedPolicies {
  return loadPolicies({ cwd: options.cwd ?? repo, home, etc: join(base, 'etc'), remember: options.remember ?? false })
}

const GOOD = 'version: "2.0"\npermissions: {actors: {"*": {allow: [Read], deny: ["Bash(rm *)"]}}}\n'
const BROKEN = 'version: "2.0"\npermisions: {}\nhoks: {}\n'

describe('findProject', () => {
  test('the nearest ancestor with a policy folder, before the git root', () => {
    mkdirSync(join(repo, '.git'))
    mkdirSync(join(repo, 'app', '.mentu'), { recursive: true })
    mkdirSync(join(repo, 'app', 'src'), { recursive: true })
    expect(findProject(join(repo, 'app', 'src'), home)).toEqual({ root: join(repo, 'app'), found: 'policy folder', inner: null })
    expect(findProject(repo, home)).toEqual({ root: repo, found: 'git', inner: null })
    expect(findProject(join(base, 'user'), home)).toEqual({ root: join(base, 'user'), found: 'cwd', inner: null })
  })

  test("Belay's own home makes no project, not even through a link", () => {
    mkdirSync(home, { recursive: true })
    expect(findProject(repo, home)).toEqual({ root: repo, found: 'cwd', inner: null })
    const other = join(base, 'elsewhere')
    mkdirSync(other)
    symlinkSync(home, join(other, '.belay'))
    expect(findProject(other, home)).toEqual({ root: other, found: 'cwd', inner: null })
  })

  test('a worktree has a .git file; a .belay file is no folder', () => {
    write(join(repo, '.git'), 'gitdir: elsewhere\n')
    write(join(repo, 'sub', '.belay'), 'no folder')
    expect(findProject(join(repo, 'sub'), home)).toEqual({ root: repo, found: 'git', inner: null })
  })

  test('.belay/genesis.key comes before .mentu/genesis.key', () => {
    expect(findProjectPolicy(repo)).toBe(null)
    const mentu = write(join(repo, '.mentu', 'genesis.key'), GOOD)
    expect(findProjectPolicy(repo)).toBe(mentu)
    const belay = write(join(repo, '.belay', 'genesis.key'), GOOD)
    expect(findProjectPolicy(repo)).toBe(belay)
  })
})

describe('findHome', () => {
  test.each([
    [{ BELAY_HOME: '/x/y', HOME: '/h' }, '/x/y'],
    [{ BELAY_HOME: '', HOME: '/h' }, '/h/.belay'],
    [{ HOME: '/h' }, '/h/.belay'],
  ])('%o', (env, expected) => {
    expect(findHome(env)).toBe(expected)
  })
})

describe('loadPolicies', () => {
  test('nothing anywhere', () => {
    expect(load()).toEqual({ root: repo, files: [], policies: [], locked: null, trustProblem: null })
  })

  test('system, user, project, in this order; only the project needs trust', () => {
    const system = write(join(base, 'etc', 'genesis.key'), GOOD)
    const user = write(homePaths(home).policy, GOOD)
    const project = write(join(repo, '.belay', 'genesis.key'), GOOD)
    const before = load()
    expect(before.files.map(file => [file.owner, file.path, file.policy?.trusted])).toEqual([
      ['system', system, true],
      ['user', user, true],
      ['project', project, false],
    ])
    addTrust(homePaths(home).trust, project, before.policies[2]?.hash ?? '')
    expect(load().policies.map(policy => policy.trusted)).toEqual([true, true, true])
    write(project, `${GOOD}# edited\n`)
    expect(load().policies.map(policy => policy.trusted)).toEqual([true, true, true, false])
    expect(load().files[2]?.change?.kind).toBe('edited')
    write(project, GOOD)
    expect(load().policies.map(policy => policy.trusted)).toEqual([true, true, true])
  })

  test('a broken file is refused whole: with every error, and gating events are locked where it never was good', () => {
    const file = write(join(repo, '.belay', 'genesis.key'), BROKEN)
    const loaded = load()
    expect(loaded.policies).toEqual([])
    expect(loaded.files[0]?.errors.map(error => [error.place, error.message])).toEqual([
      [{ file, line: 2, column: 1 }, 'a policy has no section `permisions`'],
      [{ file, line: 3, column: 1 }, 'a policy has no section `hoks`'],
    ])
    expect(loaded.locked?.place).toEqual({ file, line: 2, column: 1 })
  })

  test('the last good version stays in force, with its trust, and across restarts', () => {
    const file = write(join(repo, '.belay', 'genesis.key'), GOOD)
    const hash = load({ remember: true }).policies[0]?.hash ?? ''
    addTrust(homePaths(home).trust, file, hash)
    write(file, BROKEN)
    const loaded = load()
    expect(loaded.policies.map(policy => [policy.hash, policy.trusted, policy.file])).toEqual([[hash, true, file]])
    expect(loaded.files[0]?.errors).toHaveLength(2)
    expect(loaded.locked).toBe(null)
  })

  test('only those who enforce keep good versions', () => {
    write(join(repo, '.belay', 'genesis.key'), GOOD)
    load()
    expect(() => readdirSync(homePaths(home).goodPolicies)).toThrow()
    load({ remember: true })
    expect(readdirSync(homePaths(home).goodPolicies)).toHaveLength(1)
  })

  test.each<[string, (path: string) => void, RegExp]>([
    ['a pipe', path => void spawnSync('sh', ['-c', 'mkdir -p "${0%/*}" && mkfifo "$0"', path]), /is a pipe or a device/],
    ['a directory', path => mkdirSync(path, { recursive: true }), /is a directory/],
    ['not UTF-8', path => write(path, Buffer.from([0x76, 0xff, 0xfe])), /not UTF-8/],
  ])('%s in the place of a policy locks, it is not a missing file', (_title, make, message) => {
    make(join(repo, '.belay', 'genesis.key'))
    expect(load().locked?.message).toMatch(message)
  })
})

describe('trust store', () => {
  test('a damaged store trusts nothing and says so', () => {
    const { trust } = homePaths(home)
    write(trust, '{"files": ')
    const store = readTrust(trust)
    expect(store.problem).toMatch(/is damaged, or was not written by Belay, so nothing is trusted/)
    expect(isTrusted(store, join(repo, 'x'), 'abc')).toBe(false)
    expect(load().trustProblem).toBe(store.problem)
  })

  test('a file has one entry, whatever link leads to it', () => {
    const { trust } = homePaths(home)
    const file = write(join(repo, 'genesis.key'), GOOD)
    symlinkSync(file, join(base, 'link.key'))
    addTrust(trust, join(base, 'link.key'), hashOf(GOOD))
    expect(isTrusted(readTrust(trust), file, hashOf(GOOD))).toBe(true)
    expect(isTrusted(readTrust(trust), file, 'abd')).toBe(false)
  })
})
