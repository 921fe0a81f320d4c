import { describe, expect, it } from 'vitest'
import { activeDefinitions } from './active-definitions.ts'
import type { DialectId } from './dialect.ts'
import { dialectIds } from './dialect-table.ts'
import { loadConfig } from './load-config.ts'

const load = (config: unknown, dialect: DialectId) => loadConfig(JSON.stringify(config), { dialect, path: 'f.json' })
const run = { type: 'command', command: 'check' }
const nested = (event: string, more: object = {}, handler: object = run) => ({ hooks: { [event]: [{ ...more, hooks: [handler] }] } })

/** What the agent does with the only hook of a file: `runs`, or why not. */
function fate(config: unknown, dialect: DialectId): string {
  const [hook] = load(config, dialect).hooks
  return hook === undefined ? 'none' : hook.state === 'active' ? 'runs' : hook.why
}

describe('which shapes an agent runs', () => {
  it.each<[DialectId, unknown, string]>([
    ['claude', nested('PreToolUse'), 'runs'],
    ['claude', { hooks: { PreToolUse: [run] } }, 'a handler directly in the list of the event is not a shape that Claude Code runs'],
    ['claude', { hooks: { PreToolUse: ['check'] } }, 'a bare string is not a shape that Claude Code runs'],
    ['claude', { hooks: { PreToolUse: 'check' } }, 'a string in place of the list is not a shape that Claude Code runs'],
    ['claude', { hooks: { PreToolUse: run } }, 'one object in place of the list is not a shape that Claude Code runs'],
    ['claude', { hooks: [{ event: 'Stop', ...run }] }, '"hooks" as a list is not a shape that Claude Code runs'],
    ['claude', { PreToolUse: [{ hooks: [run] }] }, 'Claude Code expects the events under a "hooks" key'],
    ['claude', nested('onSave'), 'Claude Code fires no event named "onSave"'],
    ['claude', nested('Stop', {}, { command: 'check' }), 'it has no "type"; Claude Code needs one, such as "command"'],
    ['claude', nested('Stop', {}, { type: 'batch' }), 'Claude Code has no handler type "batch"'],
    ['claude', nested('Stop', {}, { type: 'command' }), 'its command handler has no "command"'],
    ['claude', { ...nested('Stop'), disableAllHooks: true }, '"disableAllHooks" is true in this file'],
    ['claude', nested('SessionStart', {}, { type: 'http', url: 'http://x' }), 'Claude Code runs no http handler on SessionStart'],
    ['claude', nested('PreCompact', {}, { type: 'prompt', prompt: 'x' }), 'Claude Code runs no prompt handler on PreCompact'],
    ['claude', nested('Stop', {}, { ...run, if: 'Bash' }), '"if" is about tool calls: on Stop it never holds'],
    ['belay', { hooks: { PreToolUse: [{ matcher: 'Bash', command: 'check' }] } }, 'runs'],
    ['belay', nested('pre_tool_use'), 'runs'],
    ['factory', { PreToolUse: [{ hooks: [run] }] }, 'runs'],
    ['factory', { hooks: { importedClaudeHooks: ['x'] } }, '"importedClaudeHooks" is a record that Factory Droid keeps, no event'],
    ['codex', nested('Stop'), 'runs'],
    ['codex', nested('Stop', {}, { type: 'prompt', prompt: 'x' }), 'Codex has no handler type "prompt"'],
    ['codex', { notify: ['notify-send'] }, 'runs'],
    ['gemini', nested('BeforeTool'), 'runs'],
    ['gemini', nested('PreToolUse'), 'Gemini CLI fires no event named "PreToolUse"'],
    ['qwen', nested('PreToolUse'), 'runs'],
    ['cursor', { hooks: { stop: [{ command: 'check' }] } }, 'runs'],
    ['cursor', nested('stop'), 'a group with an inner "hooks" list is not a shape that Cursor runs'],
    ['copilot', { hooks: { preToolUse: [{ type: 'command', bash: 'check' }] } }, 'runs'],
    ['copilot', nested('PreToolUse'), 'runs'],
    [
      'copilot',
      { hooks: { preToolUse: [{ ...run, matcher: { toolName: 'bash' } }] } },
      'its matcher is not a string, and Copilot CLI reads only strings',
    ],
    ['windsurf', { hooks: { pre_run_command: [{ command: 'check', show_output: true }] } }, 'runs'],
    ['kiro', { hooks: { preToolUse: [{ command: 'check', matcher: 'fs_*' }] } }, 'runs'],
    [
      'kiro',
      { version: 'v1', hooks: [{ name: 'x', trigger: 'PreToolUse', action: run, enabled: false }] },
      'it is switched off ("enabled": false)',
    ],
    ['kiro', { hooks: [{ trigger: 'PreToolUse', action: run }] }, 'runs'],
    ['opencode', nested('Stop'), 'opencode takes no hooks from its configuration'],
    ['iflow', nested('SessionStart'), 'runs'],
    ['augment', nested('PreToolUse'), 'runs'],
    ['codebuddy', nested('Stop'), 'runs'],
    ['devin', { hooks: { pre_read_code: [{ command: 'check' }] } }, 'runs'],
  ])('%s %j', (dialect, config, expected) => {
    expect(fate(config, dialect)).toBe(expected)
  })
})

describe('matchers that never fire', () => {
  it.each<[DialectId, string, string]>([
    ['claude', 'Bash(rm *)', 'its matcher "Bash(rm *)" is a permission rule; Claude Code compares matchers with tool names only'],
    [
      'claude',
      'tool == "Bash" && x matches "y"',
      'its matcher "tool == "Bash" && x matches "y"" is an expression; Claude Code reads a regular expression over tool names',
    ],
    ['claude', '**/*.ts', 'its matcher "**/*.ts" is not a valid regular expression (Nothing to repeat)'],
    [
      'claude',
      'mcp__memory',
      'its matcher "mcp__memory" names a server, no tool: Claude Code compares it with whole tool names; write mcp__memory__.*',
    ],
    ['claude', '|', 'its matcher "|" names nothing'],
    ['claude', 'mcp__memory__.*', 'runs'],
    ['claude', 'Bash', 'runs'],
  ])('%s %s', (dialect, matcher, expected) => {
    expect(fate(nested('PreToolUse', { matcher }), dialect)).toBe(expected)
  })
})

describe('definitions', () => {
  it('a Claude command with everything', () => {
    const handler = {
      type: 'command',
      command: 'node',
      args: ['a.js'],
      timeout: 5,
      async: true,
      once: true,
      if: 'Bash(git *)',
      statusMessage: 'hm',
      shell: 'bash',
      x: 1,
    }
    // `once` counts in skills alone: seen with Claude Code 2.1.327.
    const config = load(nested('PreToolUse', { matcher: 'Bash', id: 'g' }, handler), 'claude')
    expect(config.hooks[0]).toMatchObject({ extra: { x: 1, id: 'g' }, text: 'node', matcher: 'Bash' })
    expect(activeDefinitions(config)).toEqual([
      {
        event: 'PreToolUse',
        scope: 'session',
        handler: { type: 'command', command: 'node', args: ['a.js'], dialect: 'settings', shell: 'bash' },
        matcher: { dialect: 'claude', text: 'Bash' },
        timeoutMs: 5000,
        onlyIf: 'Bash(git *)',
        statusMessage: 'hm',
        async: true,
        order: 'group',
        place: { file: 'f.json', line: 1, column: expect.any(Number) },
      },
    ])
  })

  it.each<[DialectId, string, object, object]>([
    ['claude', 'Stop', { type: 'prompt', prompt: 'ok?', model: 'm' }, { handler: { type: 'prompt', prompt: 'ok?', model: 'm' } }],
    [
      'claude',
      'Stop',
      { type: 'http', url: 'http://x', headers: { a: 'b' } },
      { handler: { type: 'http', url: 'http://x', method: 'POST', headers: { a: 'b' }, allowedEnv: [] } },
    ],
    [
      'claude',
      'Stop',
      { type: 'mcp_tool', server: 's', tool: 't', input: { a: 1 } },
      { handler: { type: 'mcp_tool', server: 's', tool: 't', input: { a: 1 } } },
    ],
    ['gemini', 'AfterTool', { ...run, timeout: 5000 }, { event: 'PostToolUse', timeoutMs: 5000 }],
    ['qwen', 'Stop', { ...run, timeout: 5000 }, { timeoutMs: 5000 }],
    ['augment', 'Stop', { ...run, timeout: 5000 }, { timeoutMs: 5000 }],
    ['qwen', 'Stop', { type: 'http', url: 'http://x', timeout: 5 }, { timeoutMs: 5000 }],
    ['codex', 'Stop', { ...run, timeout: 5 }, { timeoutMs: 5000 }],
    ['copilot', 'PreToolUse', { ...run, timeoutSec: 7 }, { timeoutMs: 7000 }],
    ['claude', 'Stop', { ...run, timeoutMs: 7 }, { timeoutMs: 7 }],
  ])('%s %s %j', (dialect, event, handler, expected) => {
    expect(activeDefinitions(load(nested(event, {}, handler), dialect))).toMatchObject([expected])
  })

  it('a matcher on an event that has none is ignored, and the event fires', () => {
    const [definition] = activeDefinitions(load(nested('Stop', { matcher: 'Bash' }), 'claude'))
    expect(definition).not.toHaveProperty('matcher')
  })

  it('a matcher that only its own agent can run gives no definition', () => {
    const config = load(nested('PreToolUse', { matcher: '^(?!Read)' }), 'claude')
    expect(config.hooks).toMatchObject([{ state: 'active', definition: null }])
    expect(config.diagnostics).toMatchObject([
      { severity: 'warning', message: 'Belay cannot run this matcher: a look-around ((?!) cannot be matched in linear time' },
    ])
  })

  it('hooks.toml', () => {
    const text = [
      'disable_all_hooks = false',
      'allow_managed_hooks_only = true',
      '[[hooks]]',
      'event = "PreToolUse"',
      'tool_matcher = "Bash*"',
      'timeout_sec = 60',
      'name = "check"',
      'once = true',
      'sequential = true',
      '[hooks.shell]',
      'command = "check"',
      'pass_context = true',
      'parse_result = true',
      '[[hooks]]',
      'event = "PostToolUse"',
      '[hooks.webhook]',
      'url = "https://example.com"',
      'method = "Put"',
      'headers = { Authorization = "Bearer ${HOOK_KEY}" }',
      '[[hooks]]',
      'event = "Stop"',
    ].join('\n')
    const config = loadConfig(text, { path: 'hooks.toml' })
    const base = { scope: 'session', order: 'group' }
    expect(activeDefinitions(config)).toEqual([
      {
        ...base,
        event: 'PreToolUse',
        name: 'check',
        matcher: { dialect: 'toml', text: 'Bash*' },
        timeoutMs: 60_000,
        once: true,
        order: 'sequence',
        handler: { type: 'command', command: 'check', dialect: 'toml', passContext: true, parseResult: true },
        place: { file: 'hooks.toml', line: 3, column: 1 },
      },
      {
        ...base,
        event: 'PostToolUse',
        handler: {
          type: 'http',
          url: 'https://example.com',
          method: 'PUT',
          headers: { Authorization: 'Bearer ${HOOK_KEY}' },
          allowedEnv: ['HOOK_*'],
        },
        place: { file: 'hooks.toml', line: 14, column: 1 },
      },
    ])
    expect(config.hooks[2]).toMatchObject({ state: 'inert', why: 'a hook needs exactly one of [hooks.shell] and [hooks.webhook]' })
    expect(config).toMatchObject({ dialect: 'hooks-toml', settings: { disableAllHooks: false, allowManagedHooksOnly: true } })
  })

  it('the frontmatter of a skill', () => {
    const text =
      '---\nname: lint\nhooks:\n  PreToolUse:\n    - matcher: "Write|Edit"\n      hooks:\n        - type: command\n          command: lint\n          once: true\n---\nText\n'
    expect(activeDefinitions(loadConfig(text, { path: 'skills/lint/SKILL.md' }))).toEqual([
      {
        event: 'PreToolUse',
        scope: 'skill',
        handler: { type: 'command', command: 'lint', dialect: 'settings' },
        matcher: { dialect: 'claude', text: 'Write|Edit' },
        once: true,
        order: 'group',
        place: { file: 'skills/lint/SKILL.md', line: 7, column: 11 },
      },
    ])
  })

  it('a genesis.key is the policy parser’s to read', () => {
    const good = 'version: "2.0"\nhooks:\n  pre_tool_use:\n    - matcher: "Bash(rm *)"\n      type: deny\n      config: {reason: no}\n'
    expect(activeDefinitions(loadConfig(good, { path: '.belay/genesis.key' }))).toMatchObject([
      { event: 'PreToolUse', scope: 'policy', handler: { type: 'builtin' } },
    ])
    const bad = loadConfig(good.replace('deny', 'dony'), { path: '.belay/genesis.key' })
    expect(bad.hooks).toMatchObject([{ state: 'inert', why: 'the policy has errors and is refused as a whole' }])
    expect(bad.diagnostics[0]).toMatchObject({ severity: 'error', place: { line: 5 } })
  })
})

describe('the whole file', () => {
  it('settings beside the hooks', () => {
    const config = load(
      { statusLine: { type: 'command', command: 'line' }, fileSuggestion: { command: 'files' }, allowManagedHooksOnly: true },
      'claude',
    )
    expect(config).toMatchObject({
      statusLine: { command: 'line' },
      fileSuggestion: { command: 'files' },
      settings: { allowManagedHooksOnly: true },
    })
  })

  it('a comment makes a strict agent skip everything, and opencode nothing', () => {
    const text =
      '{\n  // mine\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]},\n  "permission": {"bash": "deny"}\n}'
    const strict = loadConfig(text, { dialect: 'claude' })
    expect(strict).toMatchObject({ parse: 'tolerant', skipped: true, hooks: [{ state: 'inert' }] })
    expect(strict.diagnostics).toMatchObject([{ severity: 'error', place: { line: 2, column: 3 } }])
    expect(loadConfig(text, { dialect: 'opencode' })).toMatchObject({
      parse: 'tolerant',
      skipped: false,
      permissions: [{ effect: 'deny', rule: { tools: ['Bash'] } }],
    })
  })

  it.each(['constructor', 'toString', 'hasOwnProperty', ''])('an event named "%s" is only an unknown name', event => {
    const text = `{"hooks": {"${event}": [{"hooks": [{"type": "command", "command": "x"}]}]}}`
    for (const dialect of dialectIds()) {
      const [hook] = loadConfig(text, { dialect, path: 'f.json' }).hooks
      expect(hook).toMatchObject({ state: 'inert', event })
    }
  })

  it('one bad rule is said and the others hold', () => {
    const config = load({ permissions: { deny: ['Bash(rm *)', 'Bash(', 'Read(.env)'] } }, 'claude')
    expect(config.permissions.map(({ rule }) => rule?.text ?? null)).toEqual(['Bash(rm *)', null, 'Read(.env)'])
    expect(config.diagnostics.map(({ severity }) => severity)).toEqual(['warning'])
  })
})

describe('what a person hears', () => {
  it.each<[string, unknown, DialectId, object]>([
    [
      'milliseconds in seconds',
      nested('Stop', {}, { ...run, timeout: 5000 }),
      'claude',
      {
        severity: 'warning',
        message: 'timeout 5000 is in seconds for Claude Code: 83 minutes',
        remedy: 'if milliseconds were meant, write 5',
      },
    ],
    [
      'seconds in milliseconds',
      nested('AfterAgent', {}, { ...run, timeout: 30 }),
      'gemini',
      { message: 'timeout 30 is in milliseconds for Gemini CLI', remedy: 'if seconds were meant, write 30000' },
    ],
    [
      'an inert guard',
      { hooks: { PreToolUse: [run] } },
      'claude',
      { severity: 'warning', message: expect.stringContaining('looks like a guard but never runs') },
    ],
    [
      'an inert bystander',
      { hooks: { SessionStart: [run] } },
      'claude',
      { severity: 'info', message: expect.stringContaining('never runs') },
    ],
    [
      "Claude Code's names of tools in Gemini CLI",
      nested('BeforeTool', { matcher: 'Bash|Edit' }),
      'gemini',
      {
        severity: 'warning',
        message: 'this BeforeTool hook never fires: Gemini CLI has no tool called Bash or Edit',
        remedy: 'write run_shell_command|replace',
      },
    ],
    ['another agent’s event', nested('PostToolUse'), 'gemini', { remedy: 'did you mean AfterTool?' }],
    ['a slip', nested('PreToolUs'), 'claude', { remedy: 'did you mean PreToolUse?' }],
    [
      'an empty alternative',
      nested('PreToolUse', { matcher: 'tool == "A" || tool == "B"' }),
      'claude',
      { message: 'the matcher "tool == "A" || tool == "B"" fires on every tool: it holds an empty alternative' },
    ],
    [
      'a matcher nobody reads',
      nested('Stop', { matcher: 'Bash' }),
      'claude',
      { severity: 'info', message: 'Stop takes no matcher: this one is ignored' },
    ],
    ['a rule nobody asks', { permissions: { deny: ['Write(src/**)'] } }, 'claude', { severity: 'warning', remedy: 'write Edit(src/**)' }],
  ])('%s', (_, config, dialect, expected) => {
    expect(load(config, dialect).diagnostics).toMatchObject([expected])
  })

  it.each([
    ['.claude/settings.json', 1],
    ['.claude/settings.local.json', 1],
    ['plugin/hooks/hooks.json', 0],
  ])('a variable that only hooks of plugins have, in %s', (path, count) => {
    const text = JSON.stringify(nested('Stop', {}, { type: 'command', command: '"${CLAUDE_PLUGIN_ROOT}/guard.sh"' }))
    const { diagnostics } = loadConfig(text, { dialect: 'claude', path })
    expect(diagnostics.filter(({ message }) => message.startsWith('CLAUDE_PLUGIN_ROOT is empty here')).length).toBe(count)
  })

  it('a slip in hooks.toml', () => {
    const { diagnostics } = loadConfig('[[hooks]]\nevent = "Stop"\ntool_matchr = "x"\n[hooks.shell]\ncommand = "x"', {
      dialect: 'hooks-toml',
      path: 'h.toml',
    })
    expect(diagnostics).toMatchObject([
      { message: '"tool_matchr" means nothing in hooks.toml', remedy: 'did you mean tool_matcher?', place: { line: 1 } },
    ])
  })
})

describe('a webhook of hooks.toml that fails', () => {
  const failOf = (event: string, more = '') => {
    const text = ['[[hooks]]', `event = "${event}"`, more, '[hooks.webhook]', 'url = "https://example.com"'].join('\n')
    return activeDefinitions(loadConfig(text, { path: 'hooks.toml' }))[0]?.fail
  }

  it.each([
    ['PreToolUse', '', 'closed'],
    ['PermissionRequest', '', 'closed'],
    ['PreToolUse', 'fail = "open"', 'open'],
    ['PreToolUse', 'fail = "ask"', 'ask'],
    ['UserPromptSubmit', '', undefined],
    ['PostToolUse', '', undefined],
    ['SessionStart', '', undefined],
  ])('%s %s: %s', (event, more, fail) => {
    expect(failOf(event, more)).toBe(fail)
  })
})
