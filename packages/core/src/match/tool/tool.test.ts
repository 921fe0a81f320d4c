import { describe, expect, test } from 'vitest'
import { patchPaths } from './patch-paths.ts'
import { toolFamily } from './tool-family.ts'
import { toolFields } from './tool-fields.ts'

test.each([
  ['MultiEdit', 'write'],
  ['apply_patch', 'write'],
  ['run_shell_command', 'shell'],
  ['Grep', 'read'],
  ['web_fetch', 'fetch'],
  ['mcp__fs__read-file', null],
  ['constructor', null],
])('%s is of family %s', (tool, family) => {
  expect(toolFamily(tool)).toBe(family)
})

/** kind, text and access of each field, which is what rules see. */
function seen(tool: string, input: Record<string, unknown>): string[] {
  return toolFields(tool, input).fields.map(field =>
    [field.kind, 'access' in field ? field.access : '', field.text].filter(Boolean).join(' '),
  )
}

describe('fields', () => {
  test.each([
    ['Bash', { command: 'ls -l' }, ['command ls -l']],
    ['shell', { command: ['bash', '-lc', "echo 'a b'"] }, ["command bash -lc 'echo '\\''a b'\\'''"]],
    ['shell', { command: ['if', 'A=1', ''] }, ["command 'if' A=1 ''"]],
    ['exec_command', { cmd: 'ls' }, ['command ls']],
    ['run_commands', { commands: 'rm -rf a' }, ['command rm -rf a']],
    ['run_commands', { commands: { command: 'rm', args: ['-rf', 'a b'] } }, ["command rm -rf 'a b'"]],
    ['run_commands', { commands: ['ls', { command: 'rm', args: ['-rf', 'a'] }] }, ['command ls', 'command rm -rf a']],
    ['run_commands', { command: 'rm', args: ['-rf', 'a'] }, ['command rm', 'command rm -rf a']],
    ['WebFetch', { requests: [{ url: 'https://x.io', prompt: 'p' }, { url: 'https://y.io' }] }, ['url https://x.io', 'url https://y.io']],
    ['WebFetch', { urls: ['https://x.io', 'https://y.io'] }, ['url https://x.io', 'url https://y.io']],
    ['Write', { file_path: 'a.ts', content: 'x' }, ['path write a.ts']],
    ['edit', { filePath: 'a.ts' }, ['path write a.ts']],
    ['NotebookEdit', { notebook_path: 'a.ipynb' }, ['path write a.ipynb']],
    ['MultiEdit', { file_path: 'a', edits: [{ file_path: '.env' }, { old_string: 'x' }, null] }, ['path write a', 'path write .env']],
    ['Read', { file_path: 'a.ts' }, ['path read a.ts']],
    ['read_many_files', { paths: ['a', 'b'] }, ['path read a', 'path read b']],
    ['Grep', { pattern: 'key', path: 'secrets' }, ['path read secrets']],
    ['Grep', { pattern: 'key', paths: 'secrets' }, ['path read secrets']],
    ['Grep', { pattern: '/etc/passwd' }, ['path read .']],
    ['Grep', { pattern: 'x', glob: 'secrets/**' }, ['path read ./secrets', 'pattern secrets/**']],
    ['Glob', { pattern: '/etc/**' }, ['path read /etc', 'pattern /etc/**']],
    ['Glob', { pattern: 'secrets/*', path: 'a' }, ['path read a', 'path read a/secrets', 'pattern secrets/*']],
    ['Glob', { pattern: '**/*.ts' }, ['path read .', 'pattern **/*.ts']],
    ['LS', {}, ['path read .']],
    ['WebFetch', { url: 'https://x.io', prompt: 'see https://y.io' }, ['url https://x.io']],
    ['web_fetch', { prompt: 'sum up https://x.io/a and file:///etc/passwd' }, ['url https://x.io/a', 'url file:///etc/passwd']],
    ['Task', { subagent_type: 'auditor', prompt: 'p' }, ['text auditor']],
    ['Skill', { skill: 'deploy' }, ['text deploy']],
    ['mcp__fs__write-file', { path: 'x' }, ['path write x']],
    ['mcp__fs__read-file', { path: 'x' }, ['path read x']],
    ['mcp__x__say', { message: 'hello' }, ['text hello']],
    ['mcp__github__get_issue', { q: 1 }, []],
  ])('%s %j', (tool, input, fields) => {
    expect({ fields: seen(tool, input), problems: toolFields(tool, input).problems }).toEqual({ fields, problems: [] })
  })

  test('where a command runs', () => {
    expect(toolFields('shell', { command: 'ls', workdir: '/tmp' }).directory).toBe('/tmp')
  })
})

describe('problems', () => {
  test.each([
    ['Bash', {}, ['the call has no command'], []],
    ['Bash', { command: 7 }, ['command is a number, not text'], []],
    ['Bash', { command: ['ls', 1] }, ['command is a list, not text'], []],
    ['Bash', { command: 'ls', cmd: 'rm' }, ['command and cmd disagree'], ['command ls', 'command rm']],
    ['Bash', { command: 'ls', cmd: 'ls' }, [], ['command ls', 'command ls']],
    ['Write', { file_path: ['a'] }, ['file_path is a list, not text'], []],
    ['Write', { file_path: 'a', path: '.env' }, ['file_path and path disagree'], ['path write a', 'path write .env']],
    ['Write', { content: 'x' }, ['the call has no path'], []],
    ['WebFetch', { prompt: 'hello' }, ['the call has no url'], []],
    ['Task', { prompt: 'x' }, [], []],
    ['Task', { subagent_type: 7 }, ['subagent_type is a number, not text'], []],
    ['apply_patch', { input: 'nothing here' }, ['the patch names no file'], []],
    ['apply_patch', {}, ['the call has no patch'], []],
  ])('%s %j', (tool, input, problems, fields) => {
    expect({ problems: toolFields(tool, input).problems, fields: seen(tool, input) }).toEqual({ problems, fields })
  })
})

test('every file of a patch', () => {
  const text = [
    '*** Begin Patch',
    '*** Add File: src/a.ts',
    '+*** Update File: not-a-header',
    '*** Update File: b.ts\r',
    '*** Move to: .env',
    '@@',
    ' *** Delete File: c.ts ',
    '*** End Patch',
  ].join('\n')
  expect(patchPaths(text)).toEqual([
    { action: 'add', path: 'src/a.ts' },
    { action: 'update', path: 'b.ts' },
    { action: 'move', path: '.env' },
    { action: 'delete', path: 'c.ts' },
  ])
})

test('every file of a unified diff', () => {
  const text = 'diff --git a/x b/y\nrename from x\nrename to y\n--- a/old.ts\t2026\n+++ b/new.ts\n--- /dev/null\n'
  expect(patchPaths(text).map(touched => touched.path)).toEqual(['y', 'old.ts', 'new.ts'])
})

test('both names of the apply_patch text reach the rules', () => {
  expect(seen('apply_patch', { command: '*** Begin Patch\n*** Update File: .env\n*** End Patch' })).toEqual(['path write .env'])
})
