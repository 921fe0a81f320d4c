import { expect, it } from 'vitest'
import { renderInspection } from '../command/inspect-render.ts'
import { inspectConfig } from './inspect-config.ts'

const text = `{
  "permissions": {"allow": ["Read"], "deny": ["Bash(rm *)", {"odd": true}]},
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "guard", "timeout": 5}]},
      {"command": "loose"}
    ]
  }
}`

it('says what the file holds and what its agent runs', () => {
  expect(inspectConfig(text, { path: '.claude/settings.json' })).toEqual({
    dialect: 'claude',
    parse: 'strict',
    hooks: 2,
    groups: 2,
    events: { PreToolUse: 1 },
    permissions: { allow: 1, deny: 2, ask: 0 },
    active: [
      { event: 'PreToolUse', type: 'command', matcher: 'Bash', text: 'guard', scope: 'session', timeoutMs: 5000, line: 5, column: 37 },
    ],
    inert: [
      {
        event: 'PreToolUse',
        type: 'none',
        matcher: null,
        text: 'loose',
        scope: 'session',
        line: 6,
        column: 7,
        why: 'a handler directly in the list of the event is not a shape that Claude Code runs',
      },
    ],
    diagnostics: [
      {
        severity: 'warning',
        line: 6,
        column: 7,
        message:
          'this PreToolUse hook looks like a guard but never runs: a handler directly in the list of the event is not a shape that Claude Code runs',
      },
    ],
  })
})

it('a broken file is reported, not refused', () => {
  expect(inspectConfig('{"hooks": ', { path: 'x.json' })).toEqual({
    dialect: 'claude',
    parse: 'invalid',
    hooks: 0,
    groups: 0,
    events: {},
    permissions: { allow: 0, deny: 0, ask: 0 },
    active: [],
    inert: [],
    diagnostics: [{ severity: 'error', line: 1, column: 11, message: 'not JSON: the text ends where a value is expected' }],
  })
})

it('the dialect can be given', () => {
  expect(inspectConfig('{"hooks": {"stop": [{"command": "x"}]}}', { dialect: 'cursor' }).active).toHaveLength(1)
})

it('for people', () => {
  expect(renderInspection(inspectConfig(text, { path: '.claude/settings.json' }))).toBe(
    [
      'Claude Code configuration, parses',
      '2 hooks in 2 groups: PreToolUse',
      '3 permission rules: 1 allow, 0 ask, 2 deny',
      '',
      'Active (1)',
      '  line 5  PreToolUse(Bash)  command  guard',
      '',
      'Inert (1)',
      '  line 6  PreToolUse  none  loose',
      '      a handler directly in the list of the event is not a shape that Claude Code runs',
      '',
      'Notes (1)',
      '  warning 6:7 this PreToolUse hook looks like a guard but never runs: a handler directly in the list of the event is not a shape that Claude Code runs',
    ].join('\n'),
  )
})

it('text of the file cannot move the cursor', () => {
  const inspection = inspectConfig(JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'a\u001b[2Jb\nc' }] }] } }))
  expect(renderInspection(inspection)).toContain('a\\u001b[2Jb c')
})
