// Globs that reach what a rule keeps by the folders above it, through links, or as the pattern of a search.
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

const DENY = ['Read(.env*)', 'Write(.env*)', 'Read(~/.ssh/**)', 'Write(~/.ssh/**)', 'Read(secrets/**)', 'Write(secrets/**)', 'Write(*.pem)']

interface Given {
  readonly tool?: string
  readonly input: object
  readonly ctx?: object
}

function decide({ tool = 'Bash', input, ctx = { links: {} } }: Given, byDefault = 'ask'): string {
  const request = { tool, input, allow: ['Bash(*)', 'Read(*)', 'Write(*)', 'Grep(*)', 'Glob(*)'], deny: DENY, default: byDefault, ctx }
  return (JSON.parse(decideBatchLine(JSON.stringify(request))) as { decision: string }).decision
}

const held = (given: Given): boolean => ['ask', 'none'].every(byDefault => decide(given, byDefault) !== 'allow')

const paths = [
  ...['/home/*/.ssh/id_rsa', '/home/d*/.ssh/id_rsa', '/*/dev/.ssh/id_rsa', '/h[o]me/dev/.ssh/id_rsa', '/home/de?/.ssh/*', '/home/*/.s*/*'],
  ...['/*/*/.ssh/id_rsa', '/home/../home/*/.ssh/config', '/re*/secrets/key', '../re*/secrets/key', '/r*/secrets/key', '/*/secrets/key'],
  ...['/repo/src/../s*/key', '/{home,x}/*/.ssh/id_rsa', 'src/../secr*/key', '/repo/*/../secrets/key'],
]
const readers = ['cat P', 'base64 P', 'cp P /tmp/k', 'grep "" P', 'cat < P', 'head -c 9 P', 'scp P h:', 'source P', 'awk 1 P', 'wc P']
const writers = ['echo x > P', 'echo x >> P', 'cp k P', 'rm P', 'tee P', 'touch P', 'mv k P']

describe.each(paths)('%s', path => {
  test.each([...readers, ...writers])('%s', use => expect(held({ input: { command: use.replace('P', path) } })).toBe(true))
})

test.each(['ls ~/.ssh', 'ls -la /home/*/.ssh', 'cd ~/.ssh && ls', 'ls secrets/', 'shopt -s dotglob; cat *'])('%s', command =>
  expect(held({ input: { command } })).toBe(true),
)

test.each(['ls -la .env', 'ls /home', 'ls /home/*', 'cat /home/*/notes.txt', 'cat src/*.ts', 'ls *', 'ls -d */', 'wc -l src/*'])(
  '%s stays allowed',
  command => expect(decide({ input: { command } })).toBe('allow'),
)

const links = { '/repo/src/l': '/repo/.env', '/repo/d': '/home/dev/.ssh', '/repo/src/r': '../.env', '/repo/conf': '/repo/secrets' }

test.each([
  'cat src/?',
  'cat src/*',
  'head s*/l',
  'echo x > src/l*',
  'cat d/*',
  'cat ?/id_rsa',
  'cat con*/k',
  'cat conf/k*',
  'grep x src/*',
])('%s where links lie there', command => expect(held({ input: { command }, ctx: { links } })).toBe(true))

test('where nobody says which names are links, a pattern that fixes no ending asks', () => {
  expect(decide({ input: { command: 'cat src/?' }, ctx: {} })).toBe('ask')
  expect(decide({ input: { command: 'cat src/*.ts' }, ctx: {} })).toBe('allow')
  expect(decide({ input: { command: 'ls src/*' }, ctx: {} })).toBe('allow')
})

const patterns = ['.env*', '**/.env', '**/*.pem', '*.env', '*env', '.e*', '{.env,x}', '**/.{env,x}', 's*/key', '**/secrets/*', '**/.env.*']

test.each(patterns)('Grep with the glob %s', glob => expect(held({ tool: 'Grep', input: { pattern: '.', glob } })).toBe(true))
test.each(patterns)('Glob %s', pattern => expect(held({ tool: 'Glob', input: { pattern } })).toBe(true))

test.each(['*.ts', '**/*.{ts,tsx}', 'src/**/*.ts', '!*.test.ts', '!.env', 'package*.json', '**/*', 'config*.yml', '.github/**/*.yml'])(
  'Grep with the glob %s stays allowed',
  glob => expect(decide({ tool: 'Grep', input: { pattern: '.', glob } })).toBe('allow'),
)

test.each(['dd if=~/.ssh/id_rsa of=copy', 'dd of=copy if=~/.ssh/id_rsa', 'dd if=~/".ssh"/id_rsa'])(
  'a tilde behind the sign of an assignment is the home: %s',
  command => {
    expect(decide({ input: { command } })).toBe('deny')
  },
)
