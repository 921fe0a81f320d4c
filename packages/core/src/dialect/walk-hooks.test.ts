import { describe, expect, it } from 'vitest'
import { parseText } from './parse-text.ts'
import { walkHooks } from './walk-hooks.ts'
import { walkPermissions } from './walk-permissions.ts'

const handler = { type: 'command', command: 'check' }

describe('every form a hook is written in', () => {
  it.each<[string, unknown, object]>([
    [
      'nested group',
      { hooks: { Stop: [{ matcher: '', hooks: [handler, handler] }] } },
      { shapes: ['nested', 'nested'], groups: 1, events: { Stop: 1 } },
    ],
    ['flat handler', { hooks: { Stop: [handler] } }, { shapes: ['flat'], groups: 1, events: { Stop: 1 } }],
    [
      'matcher beside the command',
      { hooks: { PreToolUse: [{ matcher: 'Bash', command: 'x' }] } },
      { shapes: ['flat'], groups: 1, events: { PreToolUse: 1 } },
    ],
    [
      'mixed in one event',
      { hooks: { Stop: [handler, { hooks: [handler] }, 'x'] } },
      { shapes: ['flat', 'nested', 'string'], groups: 2, events: { Stop: 1 } },
    ],
    ['hooks is a path', { hooks: './a.json' }, { references: ['./a.json'] }],
    ['hooks is a list of paths', { hooks: ['./a.json', './b'] }, { references: ['./a.json', './b'] }],
    ['events at the top', { Stop: [{ hooks: [handler] }], other: [1] }, { shapes: ['nested'], groups: 1, events: { Stop: 1 } }],
    ['event value is a string', { hooks: { pre: 'echo' } }, { shapes: ['event-string'], groups: 1, events: { pre: 1 } }],
    ['group is a string', { hooks: { Stop: ['a', 'b'] } }, { shapes: ['string', 'string'], events: { Stop: 1 } }],
    ['event value is an object', { hooks: { preEdit: handler } }, { shapes: ['event-object'], groups: 1, events: { preEdit: 1 } }],
    [
      'hooks is a list of events',
      {
        hooks: [
          { event: 'Stop', command: 'x' },
          { event: 'Stop', command: 'y' },
        ],
      },
      { shapes: ['list', 'list'], events: { Stop: 2 } },
    ],
    [
      'metadata among events',
      { hooks: { _comment: 'x', '// y': [], $schema: 'z', enabled: true, Stop: [] } },
      { events: { Stop: 1 }, metadata: ['_comment', '// y', '$schema', 'enabled'] },
    ],
    [
      'a flag among events',
      { hooks: { imported: true, Stop: [handler] } },
      { shapes: ['flat'], groups: 1, events: { imported: 1, Stop: 1 }, metadata: ['imported'] },
    ],
    ['unknown event', { hooks: { onSave: [handler] } }, { shapes: ['flat'], groups: 1, events: { onSave: 1 } }],
    ['empty hooks', { hooks: {} }, {}],
    ['empty event', { hooks: { Stop: [] } }, { events: { Stop: 1 } }],
    [
      'when and then',
      Object.fromEntries([
        ['when', { type: 'fileEdited' }],
        ['then', { type: 'askAgent', prompt: 'x' }],
      ]),
      { shapes: ['when-then'], events: { fileEdited: 1 } },
    ],
    ['notify', { notify: ['notify-send', 'done'] }, { shapes: ['notify'], events: { notify: 1 } }],
    ['no hook at all', { hooks: { Stop: [3, null, { hooks: [false] }] } }, { groups: 1, events: { Stop: 1 }, problems: 3 }],
    ['hooks of no known kind', { hooks: 4 }, { problems: 1 }],
    ['no object', [1, 2], {}],
  ])('%s', (_, config, expected) => {
    const found = walkHooks(parseText(JSON.stringify(config), 'x.json').root)
    expect({
      shapes: found.hooks.map(hook => hook.shape),
      groups: found.groups,
      events: Object.fromEntries(found.events),
      metadata: found.metadata,
      references: found.references.map(reference => reference.path),
      problems: found.problems.length,
    }).toEqual({ shapes: [], groups: 0, events: {}, metadata: [], references: [], problems: 0, ...expected })
  })
})

describe('every form a permission rule is written in', () => {
  it.each<[string, unknown, readonly string[]]>([
    [
      'lists of strings',
      { permissions: { allow: ['Read'], deny: ['Bash(rm *)'], ask: ['Edit'], other: ['x'] } },
      ['allow Read', 'deny Bash(rm *)', 'ask Edit'],
    ],
    ['objects', { permissions: { deny: [{ tool: 'x' }] } }, ['deny null']],
    [
      'an opencode map',
      { permission: { edit: 'ask', bash: { 'git *': 'allow' } }, agent: { plan: { permission: { bash: 'deny' } } } },
      ['ask edit', 'allow bash :: git *', 'deny bash of plan'],
    ],
    ['Augment objects', { toolPermissions: [{ toolName: 'view', permission: { type: 'allow' } }] }, ['allow view']],
    ['command lists', { commandAllowlist: ['ls'], commandDenylist: ['mkfs'] }, ['allow ls', 'deny mkfs']],
    [
      'Gemini lists',
      { coreTools: ['ShellTool(ls)'], tools: { exclude: ['write_file'], allowed: ['glob'] } },
      ['allow ShellTool(ls)', 'allow glob', 'deny write_file'],
    ],
    ['Kiro lists', { allowedTools: ['fs_read'] }, ['allow fs_read']],
    [
      'Gemini policy',
      { rule: [{ toolName: 'run_shell_command', commandPrefix: 'git', decision: 'ask_user' }] },
      ['ask run_shell_command(git)'],
    ],
    [
      'genesis actors',
      { permissions: { actors: { 'agent:x': { allow: ['Read'], deny: ['Write'] } } } },
      ['allow Read for agent:x', 'deny Write for agent:x'],
    ],
    [
      'genesis 1.0 operations',
      { permissions: { actors: { ada: { operations: ['claim', 'close'] } } } },
      ['allow null for ada', 'allow null for ada'],
    ],
  ])('%s', (_, config, expected) => {
    const rules = walkPermissions(parseText(JSON.stringify(config), 'x.json').root)
    const lines = rules.map(
      ({ effect, text, actor, agent }) => `${effect} ${text}${actor ? ` for ${actor}` : ''}${agent ? ` of ${agent}` : ''}`,
    )
    expect(lines).toEqual(expected)
  })
})
