import type { AgentId } from '@belay/core/adapter'
import { effectivePermissions, parseGenesis } from '@belay/core/policy'
import { expect, test } from 'vitest'
import { EMPTY_POLICY } from '../config/genesis-edit.ts'
import { type Imported, importConfig } from './import-config.ts'
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
        config: { command: './check.sh', answers: 'settings' },
        fail: 'open',
      },
    },
  ])
  expect(imported.skipped.map(({ what }) => what)).toEqual(['PreToolUse ./mcp.sh', 'Stop Is it done?'])
})

/** The hooks of one file, as they stand in the policy. */
function importOne(agent: AgentId, file: string, hooks: unknown): Imported {
  const found = importConfig(agent, [{ path: file, text: JSON.stringify({ version: 1, hooks }) }])
  const edited = addImported(EMPTY_POLICY, { ...found, rules: [] })
  expect(parseGenesis(edited.ok ? edited.text : '', 'genesis.key')).toMatchObject({ ok: true, warnings: [] })
  return found
}

test('everything that decides how a hook runs is taken over', () => {
  const hook = {
    type: 'command',
    command: 'sh',
    args: ['-c', './check "$1"', 'sh'],
    timeout: 7,
    async: true,
    env: { MODE: 'strict' },
    if: 'Bash(git push:*)',
  }
  const { hooks, skipped } = importOne('claude-code', path, { PreToolUse: [{ matcher: 'Bash|Write', hooks: [hook] }] })
  expect([hooks.map(({ value }) => value), skipped]).toEqual([
    [
      {
        matcher: 'Bash(git push *)',
        type: 'command',
        condition: 'session.agent != "claude-code"',
        config: { command: 'sh', args: ['-c', './check "$1"', 'sh'], env: { MODE: 'strict' }, answers: 'settings', timeout_sec: 7 },
        async: true,
        fail: 'open',
      },
    ],
    [],
  ])
})

test.each([
  ['gemini', '/p/.gemini/settings.json', 'BeforeTool', { matcher: 'run_shell_command', hooks: [{ type: 'command', command: 'x' }] }],
  ['qwen', '/p/.qwen/settings.json', 'PreToolUse', { hooks: [{ type: 'command', command: 'x' }] }],
  ['droid', '/p/.factory/settings.json', 'PreToolUse', { matcher: 'Execute', hooks: [{ type: 'command', command: 'x' }] }],
  ['cursor', '/p/.cursor/hooks.json', 'beforeShellExecution', { command: 'x' }],
  ['cursor', '/p/.cursor/hooks.json', 'preToolUse', { command: 'x' }],
  ['windsurf', '/p/.windsurf/hooks.json', 'pre_run_command', { command: 'x' }],
  ['codex', '/p/.codex/hooks.json', 'PreToolUse', { matcher: 'Bash|apply_patch', hooks: [{ type: 'command', command: 'x' }] }],
  ...[{}, { matcher: '*' }, { matcher: 'Write' }, { matcher: 'Edit|Bash' }, { matcher: 'spawn_agent' }].map(
    group => ['codex', '/p/.codex/hooks.json', 'PreToolUse', { ...group, hooks: [{ type: 'command', command: 'x' }] }] as const,
  ),
  ['claude-code', path, 'PreToolUse', { matcher: 'Write', hooks: [{ type: 'command', command: 'x', if: 'Bash(git *)' }] }],
  ['claude-code', path, 'PreToolUse', { matcher: 'Bash', hooks: [{ type: 'command', command: 'x', asyncRewake: true }] }],
] as const)('a hook of %s (%s, %s) that reads what only its agent sends is listed', (agent, file, event, entry) => {
  const { hooks, skipped } = importOne(agent, file, { [event]: [entry] })
  expect([hooks, skipped.length]).toEqual([[], 1])
})

test.each([
  ['codex', '/p/.codex/hooks.json', 'PreToolUse', { matcher: 'Bash', hooks: [{ type: 'command', command: 'x' }] }, 'Bash'],
  ['claude-code', path, 'PreToolUse', { matcher: 'Write|', hooks: [{ type: 'command', command: 'x' }] }, 'Write'],
  [
    'claude-code',
    path,
    'PreToolUse',
    { matcher: 'Edit', hooks: [{ type: 'command', command: 'x', if: 'Edit(src/**)' }] },
    'Edit(./src/**)',
  ],
  // In Claude Code it runs for no Write.
  ['claude-code', path, 'PreToolUse', { hooks: [{ type: 'command', command: 'x', if: 'Edit(src/**)' }] }, 'Edit(./src/**)'],
  // Claude Code reads `once` in skills alone.
  ['claude-code', path, 'PreToolUse', { matcher: 'Bash', hooks: [{ type: 'command', command: 'x', once: true }] }, 'Bash'],
  ['gemini', '/p/.gemini/settings.json', 'SessionEnd', { hooks: [{ type: 'command', command: 'x' }] }, undefined],
] as const)('a hook of %s (%s, %s) that reads what we send is taken over', (agent, file, event, entry, matcher) => {
  const { hooks, skipped } = importOne(agent, file, { [event]: [entry] })
  expect([hooks.map(({ value }) => [value.matcher, value.once]), skipped]).toEqual([[[matcher, undefined]], []])
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
