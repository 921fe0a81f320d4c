import { effectivePermissions, parseGenesis } from '@belay/core/policy'
import { expect, test } from 'vitest'
import { EMPTY_POLICY } from '../config/genesis-edit.ts'
import { importConfig } from './import-config.ts'
import { addImported } from './import-edit.ts'

const path = '/p/.claude/settings.json'
const settings = {
  permissions: {
    allow: ['Bash(npm run test:*)', 'Edit(src/**)', 'Read(//etc/hosts)', 'WebFetch(domain:example.com)', 'mcp__github__get_issue'],
    deny: ['Read(./.env)', 'Bash(curl *)', 'Read(~/.ssh/**)'],
    ask: ['Bash(git push *)'],
  },
  hooks: {
    PreToolUse: [
      { matcher: 'Bash', hooks: [{ type: 'command', command: './check.sh' }] },
      { matcher: '^mcp__.*', hooks: [{ type: 'command', command: './mcp.sh' }] },
      { hooks: [{ type: 'command', command: "exec '/h/bin/belay-hook' --agent claude-code --event PreToolUse" }] },
    ],
    Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is it done?' }] }],
  },
}
const imported = importConfig('claude-code', [{ path, text: JSON.stringify(settings, null, 2) }])

test('rules in the words of genesis.key', () => {
  expect(imported.rules.map(({ effect, pattern }) => `${effect} ${pattern}`).sort()).toEqual([
    'allow Bash(npm run test *)',
    'allow Edit(./src/**)',
    'allow Read(/etc/hosts)',
    'allow WebFetch(domain:example.com)',
    'allow mcp__github__get_issue',
    'ask Bash(git push *)',
    'deny Bash(curl *)',
    'deny Read(./.env)',
    'deny Read(~/.ssh/**)',
  ])
})

test('command hooks for every other agent; what cannot be taken over is named', () => {
  expect(imported.hooks).toEqual([
    {
      event: 'pre_tool_use',
      value: {
        matcher: 'Bash',
        type: 'command',
        condition: 'session.agent != "claude-code"',
        config: { command: './check.sh' },
        fail: 'open',
      },
    },
  ])
  expect(imported.skipped.map(({ what }) => what)).toEqual(['PreToolUse ./mcp.sh', 'Stop Is it done?'])
})

test.each([
  [
    'gemini',
    '/p/.gemini/settings.json',
    'BeforeTool',
    { matcher: 'run_shell_command|write_file', hooks: [{ type: 'command', command: 'x' }] },
    'Bash|Write',
  ],
  ['droid', '/p/.factory/settings.json', 'PreToolUse', { matcher: 'Execute', hooks: [{ type: 'command', command: 'x' }] }, 'Bash'],
  ['cursor', '/p/.cursor/hooks.json', 'afterFileEdit', { command: 'x' }, 'Write|Edit'],
  ['cursor', '/p/.cursor/hooks.json', 'preToolUse', { command: 'x' }, undefined],
  ['windsurf', '/p/.windsurf/hooks.json', 'pre_run_command', { command: 'x' }, 'Bash'],
  ['windsurf', '/p/.windsurf/hooks.json', 'pre_mcp_tool_use', { command: 'x' }, 'mcp__*'],
] as const)('a hook of %s (%s, %s) is for the same tools in the other agents', (agent, file, event, entry, matcher) => {
  const { hooks, skipped } = importConfig(agent, [{ path: file, text: JSON.stringify({ version: 1, hooks: { [event]: [entry] } }) }])
  expect([hooks.map(({ value }) => value.matcher), skipped]).toEqual([[matcher], []])
  const edited = addImported(EMPTY_POLICY, { rules: [], hooks, skipped })
  expect(parseGenesis(edited.ok ? edited.text : '', 'genesis.key')).toMatchObject({ ok: true, warnings: [] })
})

test('a matcher about the text of a command is no matcher about tools', () => {
  const text = JSON.stringify({ version: 1, hooks: { beforeShellExecution: [{ command: 'x', matcher: 'curl' }] } })
  const { hooks, skipped } = importConfig('cursor', [{ path: '/p/.cursor/hooks.json', text }])
  expect([hooks, skipped.length]).toEqual([[], 1])
})

test('added to a policy they are valid, keep its comments, and are added once', () => {
  const first = addImported(`# ours\n${EMPTY_POLICY}`, imported)
  if (!first.ok) throw new Error(first.why)
  expect(first).toMatchObject({ rules: 9, hooks: 1 })
  expect(parseGenesis(first.text, 'genesis.key')).toMatchObject({ ok: true })
  expect(first.text).toContain('# ours')
  expect(addImported(first.text, imported)).toEqual({ ok: true, text: first.text, rules: 0, hooks: 0 })
})

test('an agent that gets a block of its own keeps what a glob allowed it', () => {
  const policy = `version: "2.0"\npermissions:\n  actors:\n    "agent:*":\n      allow: ["Bash(make *)"]\n`
  const edited = addImported(policy, imported)
  const parsed = parseGenesis(edited.ok ? edited.text : '', 'genesis.key')
  if (!parsed.ok) throw new Error('broken')
  const allowed = effectivePermissions([parsed.policy], 'agent:claude-code').allow.map(({ text }) => text)
  expect(allowed).toContain('Bash(make *)')
  expect(allowed.length).toBeGreaterThan(1)
})
