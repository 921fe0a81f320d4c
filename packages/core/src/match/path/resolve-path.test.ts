import { chmodSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { createFileView } from './node-file-view.ts'
import { type ResolveContext, resolvePath } from './resolve-path.ts'
import { virtualFileView } from './virtual-file-view.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'belay-path-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

mkdirSync(join(root, 'src/deep'), { recursive: true })
mkdirSync(join(root, 'outside'))
writeFileSync(join(root, '.env'), 'A=1')
writeFileSync(join(root, 'src/a.ts'), '')
linkSync(join(root, '.env'), join(root, 'src/hard.txt'))
symlinkSync('../.env', join(root, 'src/link.txt'))
symlinkSync('deep', join(root, 'src/there'))
symlinkSync(join(root, 'not/yet/here'), join(root, 'src/dangling'))
symlinkSync('loop-b', join(root, 'loop-a'))
symlinkSync('loop-a', join(root, 'loop-b'))
symlinkSync('/proc/self/cwd', join(root, 'cwd-link'))

const onDisk: ResolveContext = { root, cwd: root, home: '/home/dev', files: createFileView() }

function virtual(links: Record<string, string> = {}, extra: Partial<ResolveContext> = {}): ResolveContext {
  const view = virtualFileView({ root: '/repo', links })
  if (!view.ok) throw new Error(view.problem)
  return { root: '/repo', cwd: '/repo', home: '/home/dev', files: view.files, ...extra }
}

describe('on a real file system', () => {
  test.each([
    ['src/a.ts', 'src/a.ts', 'src/a.ts'],
    ['src/new/file.ts', 'src/new/file.ts', 'src/new/file.ts'],
    ['src/link.txt', 'src/link.txt', '.env'],
    ['src/there/x.ts', 'src/there/x.ts', 'src/deep/x.ts'],
    // The kernel goes through the link before it goes up: the parent of src/deep, not of src/there.
    ['src/there/../x.ts', 'src/x.ts', 'src/x.ts'],
    ['src/dangling', 'src/dangling', 'not/yet/here'],
    ['src/dangling/more', 'src/dangling/more', 'not/yet/here/more'],
    ['missing/../src/link.txt', 'src/link.txt', '.env'],
    ['src/a.ts/.', 'src/a.ts', 'src/a.ts'],
  ])('%s', (raw, lexical, real) => {
    expect(resolvePath(raw, onDisk)).toEqual({ lexical: join(root, lexical), real: join(root, real) })
  })

  test('a link and dot-dot leave the directory that the text stays in', () => {
    symlinkSync(join(root, 'outside'), join(root, 'src/out'))
    const got = resolvePath('src/out/../secret', onDisk)
    expect(got).toEqual({ lexical: join(root, 'src/secret'), real: join(root, 'secret') })
  })

  test('links that form a loop', () => {
    expect(resolvePath('loop-a/x', onDisk)).toMatchObject({ real: null, problem: { kind: 'loop', decision: 'ask' } })
  })

  test("a link to this process's own directory cannot be followed for another process", () => {
    expect(resolvePath('cwd-link/x', onDisk)).toMatchObject({ real: null, problem: { kind: 'denied' } })
  })

  test('a name the file system refuses', () => {
    for (const name of ['x'.repeat(300), 'x/'.repeat(2048)])
      expect(resolvePath(name, onDisk)).toMatchObject({ real: null, problem: { kind: 'invalid' } })
  })

  test('a directory that may not be searched, which root always may', () => {
    mkdirSync(join(root, 'closed'))
    chmodSync(join(root, 'closed'), 0)
    const isRoot = process.getuid?.() === 0
    const got = resolvePath('closed/x', onDisk)
    expect(got).toMatchObject(isRoot ? { real: join(root, 'closed/x') } : { real: null, problem: { kind: 'denied' } })
    chmodSync(join(root, 'closed'), 0o700)
  })

  test('link counts: two names, one name, a directory, nothing', () => {
    const names = ['src/hard.txt', 'src/a.ts', 'src', 'nothing']
    expect(names.map(name => onDisk.files.linkCount(join(root, name)))).toEqual([2, 1, 0, 0])
  })

  test('case counts here exactly when two spellings are two files', () => {
    const isInsensitive = onDisk.files.isCaseInsensitive(root)
    expect(isInsensitive).toBe(onDisk.files.linkCount(join(root, 'SRC/A.TS')) > 0)
  })
})

describe('spelling', () => {
  test.each([
    ['src//a.ts', '/repo/src/a.ts'],
    ['src/./deep/b.ts', '/repo/src/deep/b.ts'],
    ['src/..hidden/a.ts', '/repo/src/..hidden/a.ts'],
    ['src/../../etc/passwd', '/etc/passwd'],
    ['../../../..', '/'],
    ['~', '/home/dev'],
    ['~/src/a.ts', '/home/dev/src/a.ts'],
    ['$HOME/x', '/home/dev/x'],
    ['${HOME}/x', '/home/dev/x'],
    ['$PWD/x', '/repo/x'],
    ['$HOMER/x', '/repo/$HOMER/x'],
    ['src\\..\\.env', '/repo/src\\..\\.env'],
    ['/proc/self/cwd/secrets/api.txt', '/repo/secrets/api.txt'],
    ['/proc//self/./cwd/x', '/repo/x'],
    ['/proc/self/root/etc/passwd', '/etc/passwd'],
    ['cafe\u0301', '/repo/caf\u00e9'],
    ['/dev/stdout', '/dev/stdout'],
  ])('%s', (raw, lexical) => {
    expect(resolvePath(raw, virtual())).toEqual({ lexical, real: lexical })
  })

  test.each([
    ['', 'empty', 'ask'],
    ['src/a.ts\0', 'nul', 'deny'],
    ['src/a\nb', 'hidden-character', 'ask'],
    ['.e\u200bnv', 'hidden-character', 'ask'],
    ['src/\u202egnp.ts', 'hidden-character', 'ask'],
    ['file:///repo/src/a.ts', 'url', 'ask'],
    ['~root/x', 'home', 'ask'],
    ['~/../dev/x', 'home', 'ask'],
    ['/proc/self/environ', 'process', 'ask'],
    ['/proc/1/cwd/x', 'process', 'ask'],
    ['/tmp/../proc/self/cwd/x', 'process', 'ask'],
    ['/dev/fd/3', 'process', 'ask'],
  ])('%j is a problem', (raw, kind, decision) => {
    expect(resolvePath(raw, virtual())).toMatchObject({ real: null, problem: { kind, decision } })
  })

  test.each(['src\\..\\.env', 'C:/x', '.env.', '.env ', '.env::$DATA', 'GENESI~1.KEY'])('%s is a problem on Windows', raw => {
    expect(resolvePath(raw, virtual({}, { platform: 'win32' }))).toMatchObject({ real: null, problem: { kind: 'windows' } })
  })
})

describe('a described file system', () => {
  test.each([
    [{ 'src/link.txt': '.env' }, 'src/link.txt', '/repo/.env'],
    [{ 'src/out': '/tmp/outside' }, 'src/out/x.ts', '/tmp/outside/x.ts'],
    [{ 'src/a': 'src/b', 'src/b': '/etc' }, 'src/a/passwd', '/etc/passwd'],
    [{ lib: 'src/deep' }, 'lib/../x.ts', '/repo/src/x.ts'],
  ])('%j: %s', (links, raw, real) => {
    expect(resolvePath(raw, virtual(links)).real).toBe(real)
  })

  test('a loop', () => {
    expect(resolvePath('a', virtual({ a: 'b', b: 'a' })).problem?.kind).toBe('loop')
  })

  test.each([
    [{ root: 'repo' }, 'ctx.root must be an absolute path'],
    [{ root: '/repo', links: ['a'] }, 'ctx.links must be an object of path: target'],
    [{ root: '/repo', links: { a: 1 } }, 'ctx.links must be an object of path: target'],
    [{ root: '/repo', hardlinks: 'x' }, 'ctx.hardlinks must be an object of path: other name'],
    [{ root: '/repo', caseInsensitiveFs: 'yes' }, 'ctx.caseInsensitiveFs must be true or false'],
  ])('%j is malformed', (given, problem) => {
    expect(virtualFileView(given)).toEqual({ ok: false, problem })
  })

  test('both names of a hard link count two', () => {
    const view = virtualFileView({ root: '/repo', hardlinks: { 'src/hard.txt': '.env' } })
    const counts = ['/repo/src/hard.txt', '/repo/.env', '/repo/src/a.ts'].map(path => view.ok && view.files.linkCount(path))
    expect(counts).toEqual([2, 2, 1])
  })
})

test('resolving a resolved path changes nothing', () => {
  const segment = fc.constantFrom('.', '..', '', 'a', '.env', 'src', 'é', 'x y', '~', '$HOME', 'link')
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 8 }), fc.boolean(), (segments, absolute) => {
      const once = resolvePath((absolute ? '/' : '') + segments.join('/'), virtual({ link: 'src/a' }))
      if (once.problem !== undefined || once.real === null) return
      expect(resolvePath(once.lexical, virtual()).lexical).toBe(once.lexical)
      expect(resolvePath(once.real, virtual({ link: 'src/a' })).real).toBe(once.real)
      expect(once.lexical).not.toMatch(/\/\/|\/\.\.?(?:\/|$)/)
    }),
  )
})
