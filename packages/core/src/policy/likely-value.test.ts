// What a tool that nobody described is given, in fields of any name: a denied command, path or address does not pass, and what only speaks of one,
// or what a rule for everything would hold, does.
import { describe, expect, test } from 'vitest'
import { virtualFileView } from '../match/path/virtual-file-view.ts'
import { compileRules, judge, parseRule } from './index.ts'

type Input = Readonly<Record<string, unknown>>

function judged(rules: readonly string[], tool: string, input: Input): string {
  const deny = rules.map((text, at) => {
    const parsed = parseRule(text, { effect: 'deny', dialect: 'genesis', id: `deny-${at}` })
    if (!parsed.ok) throw new Error(text)
    return parsed.rule
  })
  const files = virtualFileView({ root: '/repo' })
  if (!files.ok) throw new Error('no files')
  const compiled = compileRules({ allow: [], deny, ask: [], default: 'none', hash: '' })
  const place = { root: '/repo', cwd: '/repo', home: '/home/dev', belayHome: '/home/dev/.belay', selfProtection: true }
  return judge({ tool, input }, compiled, { ...place, files: files.files }).verdict.decision
}

const RULES = ['Bash(rm -rf *)', 'Read(.env*)', 'Write(.env*)', 'WebFetch(domain:evil.example)']
const decide = (tool: string, input: Input) => judged(RULES, tool, input)
const TOOLS = ['mcp__demo__do', 'Custom', 'open', 'fetch_page', 'run_it']

const C = 'rm -rf src'
const P = '.env'
const U = 'https://evil.example/x'
const json = JSON.stringify

const HELD: readonly Input[] = [
  { params: [{ name: 'command', value: C }] },
  { arguments: [{ key: 'cmd', value: C }] },
  ...['value', 'text', 'content', 'raw', 'string'].map(name => ({ command: { [name]: C } })),
  { commands: { [C]: {} } },
  { cmdText: C },
  { script_content: C },
  { steps: [{ run: C }] },
  { schedule: '* * * * *', job: C },
  { command: 'sh', lines: [C] },
  { terminal_id: 1, text: `${C}\n` },
  { cell: `!${C}` },
  { bin: 'rm', args: ['-rf', 'src'] },
  { path: '/bin/rm', args: ['-rf', 'src'] },
  { command: 'rm', options: ['-rf', 'src'] },
  { command: 'rm', flags: ['-rf'], operands: ['src'] },
  { cmd: 'rm', extra_args: '-rf src' },
  { args: ['rm', '-rf', 'src'] },
  { args: C },
  { input: json(json({ command: C })) },
  { input: `${json({ command: C })}\n${json({ command: 'ls' })}` },
  { arguments: `{'command': '${C}'}` },
  { arguments: `{"command":"${C}","command":"ls"}` },
  { files: { [P]: 'x' } },
  { file: { name: P } },
  ...['from', 'location', 'document', 'resource', 'name', 'attachment', 'output', 'save_as', 'image', 'glob', 'include', 'input_file'].map(
    name => ({ [name]: P }),
  ),
  { attachments: [P] },
  { directory: '.', name: P },
  { base: 'src/..', relative: P },
  { paths: `x,${P}` },
  { files: `x ${P}` },
  { patch: '--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-x\n+y\n' },
  { change: '*** Begin Patch\n*** Update File: .env\n@@\n-x\n+y\n*** End Patch' },
  ...['endpoint', 'address', 'target', 'site', 'page', 'webhook', 'feed', 'src', 'remote', 'name', 'navigate_to'].map(name => ({
    [name]: U,
  })),
  { host: 'evil.example', path: '/x' },
  { hostname: 'evil.example:8080' },
  { remote: 'git@evil.example:x.git' },
  { urls: ['wss://evil.example/x'] },
  { entrypoint: ['rm', '-rf', 'src'] },
  { command: { 0: 'rm', 1: '-rf', 2: 'src' } },
  { command: 'rm', args: { 0: '-rf', 1: 'src' } },
  ...['exe', 'process', 'prog', 'entry', 'utility', 'method'].map(name => ({ [name]: 'rm', args: ['-rf', 'src'] })),
  { schedule: '0 1 * * *', yaml: `jobs:\n  a:\n    - run: ${C}\n` },
  { crontab: `# each night\n0 1 * * * ${C}\n` },
  { dockerfile: `FROM x\nRUN ${C}\n` },
  ...['file:.env', 'file:///repo/.env', 'FILE:/repo/%2eenv', 'file:.env?mode=ro'].map(uri => ({ uri })),
  ...['vscode://file/repo/.env', 'res://x/repo/.env?a', 'res://.env'].map(uri => ({ uri })),
  { path: '.env\0.txt' },
  { cwd: '/repo/src', path: '../.env' },
  { glob: '**/.e*' },
  { include: ['**/*.env'] },
  { code: `await page.goto('${U}')` },
  { sql: "SELECT readfile('.env')" },
  { query: "ATTACH '.env' AS x" },
]

/** The words of a command in fields of any name, and their values. */
const SPREAD: readonly Input[] = [
  { program: 'git', subcommand: 'push', args: ['--force'] },
  { tool: 'git', action: 'push', args: ['--force'] },
  { command: 'git', operation: 'push', args: '-f' },
]

test.each(SPREAD)('%j is one command', input => {
  expect(TOOLS.filter(tool => judged(['Bash(git push *)'], tool, input) === 'none')).toEqual([])
})

/** A tool that is called like a program, or runs one. */
test.each<[string, Input, Input]>([
  ['mcp__git__git', { command: 'push --force' }, { command: 'log --oneline' }],
  ['mcp__git__git', { command: 'push', args: ['--force'] }, { command: 'log', args: ['-1'] }],
  ['mcp__git__git', { subcommand: 'push -f' }, { subcommand: 'log -1' }],
  ['mcp__git__git', { operation: 'push', remote: 'origin' }, { operation: 'fetch', remote: 'origin' }],
  ['mcp__git__run', { command: 'push --force' }, { command: 'status --short' }],
  ['run_git_command', { command: 'push --force' }, { command: 'status --short' }],
])('%s %j', (tool, held, free) => {
  const rules = ['Bash(git push *)']
  expect([judged(rules, tool, held), judged(rules, tool, free)]).toEqual([expect.stringMatching('ask|deny'), 'none'])
})

test('a rule for every use of a program says nothing of a tool that has its name', () => {
  expect(judged(['Bash(make *)'], 'mcp__shop__make_order', { action: 'buy', item: 'tea' })).toBe('none')
  expect(judged(['Bash(*)'], 'mcp__shop__find', { entry: 'a -b' })).toBe('none')
})

test.each(HELD)('%j', input => {
  expect(TOOLS.filter(tool => decide(tool, input) === 'none')).toEqual([])
})

test('a tool named for a program, with its arguments', () => {
  expect(judged(['Bash(kubectl delete *)'], 'mcp__k8s__kubectl', { args: ['delete', 'pod', 'x'] })).toBe('deny')
  expect(judged(['Bash(kubectl delete *)'], 'mcp__k8s__kubectl', { args: ['get', 'pods'] })).toBe('none')
})

test.each<Input>([
  { channel: 'dev', text: `never run ${C}, see ${U}` },
  { content: C },
  { title: P, body: U },
  { query: `what does ${C} do` },
  { query: U },
  { command_id: C },
  { arguments: json({ title: P, description: C }) },
  { name: 'Ada', role: 'reader', branch: 'main', repo: 'owner/name', version: '1.2.3' },
  { commands: { start: { label: 'x' } }, files: { first: 1 } },
  { options: { force: true }, args: [] },
  { parameters: [{ name: 'title', value: C }] },
  { thought: C, plan: [{ step: 'rm the old file' }], observations: [C] },
  { labels: ['rm', 'old'], what: 'rm and friends', pattern: C },
  { where: 'a place to rm', when: 'rm later', list: 'rm list' },
  { yaml: 'name: about rm\non: push\n' },
  { sql: 'select name, size from files' },
  { glob: 'src/**/*.ts' },
  { uri: 'note://one' },
  { server: 'x', uri: 'postgres://host/table' },
  { element: 'Remove file', values: ['rm', 'keep'] },
])('%j speaks of it at most', input => {
  expect(TOOLS.filter(tool => tool !== 'run_it' && decide(tool, input) !== 'none')).toEqual([])
})

describe('a rule for everything says nothing of what only looks like a file or an address', () => {
  test.each<Input>([
    { repo: 'owner/name' },
    { state: 'open', labels: ['a', 'b'] },
    { homepage: 'https://a.example' },
    { remote: 'a.example' },
  ])('%j', input => {
    expect(judged(['Write(*)', 'Write(**)', 'WebFetch(*)'], 'mcp__github__create_issue', input)).toBe('none')
  })
  test('but it holds where the name says so', () => {
    expect(judged(['Write(**)'], 'mcp__fs__create', { path: 'a/b' })).toBe('ask')
  })
})

test('many harmless texts are no reason to ask', () => {
  const ids = Array.from({ length: 3000 }, (_, at) => `id-${at}`)
  expect(decide('mcp__demo__do', { ids, labels: ids })).toBe('none')
})
