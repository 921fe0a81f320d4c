// Files that a call reaches by another name: patterns of searches in every spelling, hard links, start files. And what such care must not
// stop: globs that cannot become a kept file, ordinary settings.
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

const ALLOW = ['Bash(*)', 'Read(*)', 'Write(*)', 'Edit(*)', 'Grep', 'Glob']
const DENY = ['Read(.env*)', 'Read(secrets/**)', 'Read(*.pem)', 'Read(~/.ssh/**)', 'Bash(rm -rf *)']

function decide(tool: string, input: object, ctx: object = {}): string {
  const line = { tool, input, allow: ALLOW, deny: DENY, ctx: { root: '/repo', home: '/home/dev', ...ctx } }
  return (JSON.parse(decideBatchLine(JSON.stringify(line))) as { decision: string }).decision
}

const bash = (command: string): string => decide('Bash', { command })

describe.each(['.env', '.env.local', 'secrets/key', 'a.pem', '*.pem', '.e*', 'secrets/*'])('a search for %s', kept => {
  const name = kept.replace(/^.*\//, '')
  test.each([kept, `*.ts,${kept}`, `${kept},*.ts`, `*.ts ${kept}`, `{${kept},*.ts}`, `{*.ts,${kept}}`, `**/${kept}`, `./${kept}`])(
    'by %s',
    glob => {
      for (const input of [{ glob }, { glob: [glob] }, { glob, path: '.' }])
        expect([glob, decide('Grep', { pattern: 'x', ...input })]).not.toEqual([glob, 'allow'])
      expect(decide('Glob', { pattern: glob })).not.toBe('allow')
    },
  )
  test('from above the project', () => {
    if (kept.includes('/') || name.includes('pem')) return
    expect(decide('Grep', { pattern: 'x', path: '..', glob: kept })).not.toBe('allow')
  })
})

test.each(['[.]env', '?env', '/.env', '[.]e*'])('a search by %s', glob => expect(decide('Grep', { pattern: 'x', glob })).not.toBe('allow'))

test.each(['*.ts', '**/*.ts', '*.{ts,tsx}', 'src/**', '*.ts,*.js', 'src/*.ts'])('a search by %s goes on', glob =>
  expect(decide('Grep', { pattern: 'x', glob })).toBe('allow'),
)

describe('a hard link', () => {
  const ctx = { hardlinks: { '/repo/src/hl': '/repo/.env', '/repo/node_modules/a/x.js': '/repo/store/x.js' } }
  test.each(['src/hl', './src/hl', '/repo/src/hl', 'src/../src/hl'])('%s may be a kept file', path => {
    expect(decide('Read', { file_path: path }, ctx)).toBe('ask')
    for (const command of [`cat ${path}`, `cp ${path} x`, `grep x ${path}`, `cat < ${path}`])
      expect([command, decide('Bash', { command }, ctx)]).toEqual([command, 'ask'])
  })
  test('of a package store is nothing odd', () => expect(decide('Read', { file_path: 'node_modules/a/x.js' }, ctx)).toBe('allow'))
})

test.each([
  '~/.xsession',
  '~/.config/autostart/x.desktop',
  '~/.config/systemd/user/x.service',
  '~/Library/LaunchAgents/x.plist',
  '~/.zsh_aliases',
  '/etc/cron.d/x',
  '/etc/ld.so.preload',
  '.git/info/attributes',
])('%s is started by itself', path => expect(decide('Write', { file_path: path, content: 'x' })).toBe('ask'))

test.each([
  'ls *.ts',
  'wc -l *.ts',
  'cat src/*.ts',
  'grep x *.md',
  'PORT=3000 npm start',
  'HOST=localhost PORT=8080 node server.js',
  'source .venv/bin/activate',
  '. venv/bin/activate && pytest',
])('%s is allowed', command => expect(bash(command)).toBe('allow'))

test.each([
  'cat s*/key',
  'cat */key',
  'ls s*/',
  'PORT="$(rm -rf x)" npm start',
  'PORT=x npm start',
  'source /tmp/.venv/bin/activate',
  'source ../.venv/bin/activate',
  'echo "rm -rf x" > .venv/bin/activate; source .venv/bin/activate',
])('%s is not', command => expect(bash(command)).not.toBe('allow'))
