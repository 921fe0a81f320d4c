// Files that a command names by an address (`file:///x`), with percent signs for some of their letters: what holds for the path holds for it.
import { expect, test } from 'vitest'
import { virtualFileView } from '../match/path/virtual-file-view.ts'
import { compileRules } from './compile-rules.ts'
import { judge } from './judge.ts'
import { parseRule } from './parse-rule.ts'
import type { Rule } from './rule.ts'

const root = '/repo'
const home = '/home/dev'
const view = virtualFileView({ root })
if (!view.ok) throw new Error(view.problem)
const { files } = view

function rule(text: string, effect: 'allow' | 'deny'): Rule {
  const parsed = parseRule(text, { effect, dialect: 'genesis', id: text })
  if (!parsed.ok) throw new Error(text)
  return parsed.rule
}

const rules = {
  allow: [rule('Bash(*)', 'allow')],
  deny: [rule('Read(.env*)', 'deny'), rule('Write(.env*)', 'deny')],
  ask: [],
  hash: '',
}

function decide(command: string, byDefault: 'allow' | 'none'): string {
  const compiled = compileRules({ ...rules, allow: byDefault === 'allow' ? rules.allow : [], default: byDefault })
  const context = { root, cwd: root, home, files, belayHome: `${home}/.belay`, selfProtection: true }
  return judge({ tool: 'Bash', input: { command } }, compiled, context).verdict.decision
}

/** One letter, every letter, a slash, in both cases. */
const encodings: readonly ((path: string) => string)[] = [
  path => path,
  path => path.replace(/[be](?=[^/]*$|lay)/, letter => `%${letter.charCodeAt(0).toString(16)}`),
  path => path.replace(/[a-zA-Z.]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`),
  path => path.replace(/\//g, '%2f').replace(/^%2f/, '/'),
]
const schemes = ['file:', 'FILE:', 'file://', 'file://localhost', 'File:///']
const ends = ['', '?mode=rw', '#x', '%00x']
const carriers: readonly ((address: string) => string)[] = [
  address => `gio copy x ${address}`,
  address => `gio remove '${address}'`,
  address => `sqlite3 "${address}" 'delete from entries'`,
  address => `sqlite3 :memory: "attach '${address}' as x; delete from x.entries"`,
  address => `foo --db=${address}`,
  address => `foo -i${address}`,
  address => `foo "${address}"`,
]
const more = [
  'curl -T x file:///home/dev/.b%65lay/x',
  'echo file:///home/dev/.b%65lay/belay.db | xargs gio remove',
  'for i in file:///home/dev/.b%65lay/belay.db; do gio remove $i; done',
  'gio copy a file://$HOSTNAME/home/dev/.b%65lay/bin/belay-hook',
  'gio remove admin:///home/dev/.b%65lay/belay.db',
  'gio move file:///home/d%65v file:///tmp/y',
  `sqlite3 <<< "attach 'file:/home/dev/.b%65lay/belay.db' as x"`,
  `python3 -c "import sqlite3; sqlite3.connect('file:/home/dev/.b%65lay/belay.db', uri=True)"`,
]
const targets = [`${home}/.belay/belay.db`, `${home}/.belay/bin/belay-hook`, `${root}/.belay/genesis.key`, `${root}/.env`]

const attacks = more.concat(
  targets.flatMap(target =>
    encodings.flatMap(encode =>
      schemes.flatMap(scheme => ends.flatMap(end => carriers.map(carry => carry(`${scheme}${encode(target)}${end}`)))),
    ),
  ),
)

test(`${attacks.length} addresses of kept files are held`, () => {
  const passed = attacks.filter(
    command => !/^(?:deny|ask)$/.test(decide(command, 'allow')) || !/^(?:deny|ask)$/.test(decide(command, 'none')),
  )
  expect(passed.join('\n')).toBe('')
})

test.each([
  'sqlite3 "file:data.db?mode=ro" .dump',
  'gio open file:///repo/docs/index.html',
  'chromium --headless file:///repo/dist/index.html',
  'foo --date=+%Y:%m',
  'pip install file:///repo/pkg',
  'npm install file:../other',
  'git clone file:///repo/x.git y',
])('left alone: %s', command => {
  expect(decide(command, 'allow')).toBe('allow')
})

const settings = [
  `${home}/.codex/config.toml`,
  '.codex/config.toml',
  '~/.config/systemd/user/belay.service',
  '.belay/hooks.toml',
  '.claude/settings.json',
  '~/.belay/x',
]
const gitWrites = settings.flatMap(file => [
  ...['-f ', '--file ', '--file='].flatMap(option => {
    const at = `${option}${option.endsWith('=') ? file.replace('~', home) : file}`
    return [`git config ${at} a.b c`, `git config set ${at} a.b c`, `git config ${at} --unset a.b`, `git config ${at} --add a.b c`].concat(
      `git config ${at} --remove-section a`,
      `git -C sub config ${at} a.b c`.replace(/ (\.[bc])/, ' ../$1'),
      `git credential-store ${at} store`,
    )
  }),
])

test.each(gitWrites)('%s', command => {
  expect(decide(command, 'allow')).toMatch(/^(?:deny|ask)$/)
  expect(decide(command, 'none')).toMatch(/^(?:deny|ask)$/)
})

test.each([
  'git config -f .codex/config.toml --get features.hooks',
  'git config -f .codex/config.toml features.hooks',
  'git config get -f .codex/config.toml a.b',
  'git config --file .gitmodules --list',
  'git config -f .gitmodules submodule.x.branch main',
  'git add .belay',
  'git diff .belay/genesis.key',
  'git log -- .belay',
  'git show HEAD:.belay/genesis.key',
  'git merge belay-work',
  'git cherry-pick abc123',
  'git stash push -m "belay docs"',
  'git config user.name "belay bot"',
  'git archive HEAD .belay',
])('left alone: %s', command => {
  expect(decide(command, 'allow')).toBe('allow')
})
