// Attacks on Belay's own files and verbs that were thought up one by one; the classes are generated in self-protection.test.ts.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createFileView } from '../match/path/node-file-view.ts'
import { compileRules } from './compile-rules.ts'
import { judge } from './judge.ts'
import { parseRule } from './parse-rule.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'self-protection-attacks-')))
const root = join(base, 'project')
const home = join(base, 'home', 'dev')
afterAll(() => rmSync(base, { recursive: true }))
const existing = [
  ...['.belay/genesis.key', '.claude/settings.json', '.git/hooks/pre-commit', 'src/a.ts'].map(name => join(root, name)),
  ...['run/token', 'run/daemon.json', 'keys/k', 'bin/belay-hook'].map(name => join(home, '.belay', name)),
]
for (const path of existing) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'x')
}

function decide(tool: string, input: Record<string, unknown>): string {
  const parsed = parseRule('Bash(*)', { effect: 'allow', dialect: 'genesis', id: 'all' })
  if (!parsed.ok) throw new Error('no rule')
  const compiled = compileRules({ allow: [parsed.rule], deny: [], ask: [], default: 'allow', hash: '' })
  const ownFiles = ['/opt/x/node_modules/@belay/host']
  const context = { root, cwd: root, home, files: createFileView(), belayHome: join(home, '.belay'), ownFiles, selfProtection: true }
  return judge({ tool, input }, compiled, context).verdict.decision
}

const attacks = readFileSync(new URL('fixtures/self-attacks.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

test.each(attacks)('%s', command => {
  expect(decide('Bash', { command })).toMatch(/^(?:deny|ask)$/)
})

test.each([
  ['Grep', { path: join(home, '.belay'), pattern: '.' }],
  ['Grep', { path: join(home, '.belay', 'run'), pattern: '.' }],
  ['Read', { file_path: join(home, '.belay', 'run', 'token') }],
  ['Glob', { pattern: join(home, '.belay', 'run', '*') }],
  ['LS', { path: join(home, '.belay', 'run') }],
  ['Edit', { file_path: '.belay/genesis.key' }],
  ['Write', { file_path: '.claude/settings.json' }],
  ['NotebookEdit', { notebook_path: '.belay/x' }],
  ['mcp__fs__move_file', { source: '.belay/genesis.key', destination: 'x' }],
  ['mcp__fs__write_file', { path: '.belay/genesis.key' }],
  ['apply_patch', { input: '*** Begin Patch\n*** Update File: .belay/genesis.key\n' }],
])('%s %j', (tool, input) => {
  expect(decide(tool, input)).toMatch(/^(?:deny|ask)$/)
})

const ordinary = [
  ...[
    "find . -name '*.pyc' -delete",
    "find . \\( -name '*.pyc' -o -name '*.pyo' \\) -delete",
    'find . -type d -empty -delete',
    'find src -type f -delete',
  ],
  ...[
    "find . -name '*.json' -exec grep -l x {} +",
    'find . -type f | xargs wc -l',
    "find . -name '*.ts' -exec sed -i s/a/b/ {} +",
    'find . -type f',
  ],
  ...[
    'find dist -mindepth 1 -delete',
    'ls | xargs echo',
    'ls -la',
    'fd -e ts -x sed -i s/a/b/',
    'rg --files | xargs wc -l',
    'ls -A src | xargs rm -rf',
  ],
  ...[
    'rsync -a --delete dist/ /tmp/out',
    "git commit -m 'belay down'",
    'gh pr create --body "run belay down"',
    'echo belay down',
    'ls ~/.belay',
    'cat .belay/genesis.key',
  ],
  ...[
    'git add .belay',
    'git diff .belay',
    'belay ledger tail',
    'belay commitments',
    'cp -r src /tmp/x',
    'tar czf /tmp/x.tgz .',
    'zip -r /tmp/x.zip src',
    'grep -r x .',
  ],
]

test.each(ordinary)('left alone: %s', command => {
  expect(decide('Bash', { command })).toBe('allow')
})
