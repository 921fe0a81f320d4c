import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPathAnchors } from './path-anchors.ts'
import { compilePathGlob, pathGlobMatches } from './path-glob.ts'
import { compilePathPattern, type PathMatch, parsePathSpec, pathMatches } from './path-pattern.ts'
import { viewPath } from './path-view.ts'
import { resolvePath } from './resolve-path.ts'
import { virtualFileView } from './virtual-file-view.ts'

interface World {
  readonly links?: Record<string, string>
  readonly caseInsensitiveFs?: boolean
  readonly effect?: 'allow' | 'deny'
  readonly leadingSlash?: 'absolute' | 'root'
}

function match(rule: string, raw: string, world: World = {}): PathMatch {
  const view = virtualFileView({ root: '/repo', ...world })
  if (!view.ok) throw new Error(view.problem)
  const spec = parsePathSpec(rule, world.leadingSlash ?? 'absolute')
  if (!spec.ok) throw new Error(spec.problem)
  const context = { root: '/repo', cwd: '/repo', home: '/home/dev', files: view.files }
  const pattern = compilePathPattern(spec.spec, { effect: world.effect ?? 'allow' })
  return pathMatches(pattern, viewPath(resolvePath(raw, context), createPathAnchors(context)))
}

const both = { lexical: true, real: true }
const neither = { lexical: false, real: false }

test.each([
  ['.env*', { anchor: 'name', pattern: '.env*' }],
  ['src/*', { anchor: 'root', pattern: 'src/*' }],
  ['./src/*', { anchor: 'root', pattern: 'src/*' }],
  ['src//./x/../y', { anchor: 'root', pattern: 'src/y' }],
  ['src/', { anchor: 'root', pattern: 'src/' }],
  ['**/.env', { anchor: 'root', pattern: '**/.env' }],
  ['~/.ssh/*', { anchor: 'home', pattern: '.ssh/*' }],
  ['~', { anchor: 'home', pattern: '' }],
  ['//etc/**', { anchor: 'absolute', pattern: 'etc/**' }],
  ['/tmp/*', { anchor: 'absolute', pattern: 'tmp/*' }],
])('%s is read as %j', (text, spec) => {
  expect(parsePathSpec(text, 'absolute')).toEqual({ ok: true, spec })
})

test('a single leading slash is the root in rules of the Claude format', () => {
  expect(parsePathSpec('/src/*', 'root')).toEqual({ ok: true, spec: { anchor: 'root', pattern: 'src/*' } })
})

test.each(['../x', 'a/../../x', '*/../x', '', 'a\0b'])('%j is refused', text => {
  expect(parsePathSpec(text, 'absolute').ok).toBe(false)
})

describe('matches', () => {
  test.each([
    ['src/*', 'src/a.ts'],
    ['src/*', 'src/deep/er/b.ts'],
    ['src/*', '/repo/src/a.ts'],
    ['src/*', 'src/[id]/page.tsx'],
    ['src/', 'src'],
    ['src/', 'src/a/b'],
    ['.env*', '.env'],
    ['.env*', 'packages/a/.env.local'],
    ['*.key', 'src/tls/server.key'],
    ['*', 'anything/at/all'],
    ['**/.env', '.env'],
    ['**/.env', 'a/b/.env'],
    ['**/secrets/**', 'a/secrets/b/c'],
    ['a/**/b', 'a/b'],
    ['a/**/b', 'a/x/y/b'],
    ['~/.ssh/*', '/home/dev/.ssh/id_rsa'],
    ['~/.ssh/*', '~/.ssh/id_rsa'],
    ['/tmp/*', '/tmp/x/y'],
    ['//**', '/etc/passwd'],
    ['src/?.ts', 'src/a.ts'],
  ])('%s: %s', (rule, raw) => {
    expect(match(rule, raw)).toEqual(both)
  })
})

describe('does not match', () => {
  test.each([
    ['src/*', 'src-evil/a.ts'],
    ['src/*', 'src'],
    ['src/*', '/repo-evil/src/a.ts'],
    ['src/*', '../repo-evil/src/a.ts'],
    ['src/*', '~/src/a.ts'],
    ['src*', 'src/deep/a.ts'],
    ['*.key', 'src/keyboard.ts'],
    ['.env*', '/elsewhere/.env'],
    ['*', '/etc/passwd'],
    ['**/.env', '/etc/.env'],
    ['**/.env', 'a/x.env'],
    ['a/**/b', 'a/xb'],
    ['~/.ssh/*', '/home/developer/.ssh/id_rsa'],
    ['/tmp/*', '/tmpfoo/x'],
    ['src/?.ts', 'src/ab.ts'],
    ['a?b', 'a/b'],
  ])('%s: %s', (rule, raw) => {
    expect(match(rule, raw)).toEqual(neither)
  })
})

describe('a deny rule on a name or directory also holds for', () => {
  test.each([
    ['secrets', 'a/secrets/x/y'],
    ['config/prod', 'config/prod/db.yml'],
    ['secrets/*', 'secrets'],
    ['~/.ssh/**', '~/.ssh'],
    ['**/secrets/**', 'a/secrets'],
  ])('%s: %s', (rule, raw) => {
    expect(match(rule, raw, { effect: 'deny' })).toEqual(both)
    expect(match(rule, raw, { effect: 'allow' })).toEqual(neither)
  })
})

describe('links', () => {
  test.each([
    ['.env*', 'src/link.txt', { 'src/link.txt': '.env' }, { lexical: false, real: true }],
    ['src/*', 'src/out/x.ts', { 'src/out': '/tmp/outside' }, { lexical: true, real: false }],
    ['src/*', 'src/a/b/c.ts', { 'src/a': '/etc' }, { lexical: true, real: false }],
    ['src/*', 'src/ok.ts', { 'src/ok.ts': 'src/real.ts' }, both],
    ['src/*', 'lib/x.ts', { lib: 'src' }, { lexical: false, real: true }],
    // The root, the home and names in / may be links themselves; nothing deeper is looked through.
    ['src/*', 'src/a.ts', { '/repo': '/data/repo' }, both],
    ['src/*', '/data/repo/src/a.ts', { '/repo': '/data/repo' }, both],
    ['~/x/*', '~/x/y', { '/home/dev': '/data/dev' }, both],
    ['/tmp/*', '/tmp/x', { '/tmp': '/private/tmp' }, both],
    ['/tmp/work/*', '/tmp/work/passwd', { '/tmp/work': '/etc' }, { lexical: true, real: false }],
  ])('%s: %s with %j', (rule, raw, links, expected) => {
    expect(match(rule, raw, { links })).toEqual(expected)
  })
})

describe('where case does not count', () => {
  test.each([
    ['.env*', '.ENV'],
    ['.claude/*', '.Claude/Settings.json'],
    ['*.key', 'SERVER.KEY'],
    ['src/*.ts', 'Src/ſ.TS'],
    ['*.key', 'a.\u212aey'],
  ])('%s: %s', (rule, raw) => {
    expect(match(rule, raw, { caseInsensitiveFs: true })).toEqual(both)
    expect(match(rule, raw)).toEqual(neither)
  })
})

test('a name rule with a slash holds at any depth', () => {
  const files = virtualFileView({ root: '/repo' })
  if (!files.ok) throw new Error(files.problem)
  const context = { root: '/repo', cwd: '/repo', home: '/home/dev', files: files.files }
  const pattern = compilePathPattern({ anchor: 'name', pattern: 'secrets/*' }, { effect: 'deny' })
  const view = (raw: string) => viewPath(resolvePath(raw, context), createPathAnchors(context))
  expect(['secrets/x', 'a/secrets/x', 'a/notsecrets/x'].map(raw => pathMatches(pattern, view(raw)).lexical)).toEqual([true, true, false])
})

test('composed and decomposed letters are one name', () => {
  expect(match('caf\u00e9/*', 'cafe\u0301/x')).toEqual(both)
  expect(match('cafe\u0301/*', 'caf\u00e9/x')).toEqual(both)
})

test('? is a letter like any other where the dialect has none', () => {
  const glob = compilePathGlob('a?', { literalQuestionMark: true })
  expect([pathGlobMatches(glob, 'a?'), pathGlobMatches(glob, 'ab')]).toEqual([true, false])
})

test('a relative rule never matches outside the root', () => {
  const segment = fc.constantFrom('*', '**', 'src', 'etc', '.env', 'repo', '?')
  const place = fc.constantFrom('/etc', '/repo-evil', '/home/dev', '/rep', '/tmp/repo')
  fc.assert(
    fc.property(
      fc.array(segment, { minLength: 1, maxLength: 4 }),
      place,
      fc.array(fc.constantFrom('src', '.env', 'repo', 'a'), { maxLength: 3 }),
      (rule, start, rest) => {
        expect(match(rule.join('/'), [start, ...rest].join('/'), { effect: 'deny' })).toEqual(neither)
      },
    ),
  )
})

test('the matcher agrees with a naive one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 10 }).map(chars => chars.join(''))
  const pattern = fc.array(fc.constantFrom('a', 'b', '/', '*', '**/', '?'), { maxLength: 7 }).map(parts => parts.join(''))
  fc.assert(
    fc.property(pattern, text, (glob, path) => {
      expect(pathGlobMatches(compilePathGlob(glob), path)).toBe(naive(glob, path))
    }),
    { numRuns: 3000 },
  )
})

/** Backtracking, and obviously the rule as written. */
function naive(pattern: string, text: string, before = '/'): boolean {
  if (before === '/' && pattern.startsWith('**/')) {
    const rest = pattern.slice(3)
    const starts = [0, ...[...text].flatMap((char, at) => (char === '/' ? [at + 1] : []))]
    return starts.some(at => naive(rest, text.slice(at), '/'))
  }
  if (pattern === '') return text === ''
  const head = pattern.charAt(0)
  const rest = pattern.slice(1)
  if (head === '*') return Array.from({ length: text.length + 1 }, (_, at) => at).some(at => naive(rest, text.slice(at), head))
  if (text === '' || (head === '?' ? text.startsWith('/') : head !== text.charAt(0))) return false
  return naive(rest, text.slice(1), head)
}
