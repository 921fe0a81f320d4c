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
]

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
