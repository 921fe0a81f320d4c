import { describe, expect, test } from 'vitest'
import { createHooks } from '../engine/create-hooks.ts'
import { BelayError } from '../hook/errors.ts'
import type { HookDefinition } from '../hook/hook-definition.ts'
import { createRegistry } from './registry.ts'

const noop = () => undefined
const COMMAND = { type: 'command', command: 'true', dialect: 'settings' }

function refusal(misuse: () => unknown): string {
  try {
    misuse()
  } catch (error) {
    if (error instanceof BelayError) return error.message
    throw error
  }
  throw new Error('it was accepted')
}

describe('a handler that cannot work is refused when it is registered', () => {
  test.each<[unknown, string]>([
    [{ type: 'nope' }, 'handler.type is "nope", not one of inline, command, http, prompt, agent, mcp_tool, builtin'],
    [{ type: 'toString' }, 'handler.type is "toString"'],
    [{ type: 7 }, 'handler.type is 7'],
    [{ type: 'inline' }, 'handler.run is missing, not a function'],
    [{ type: 'command', dialect: 'settings' }, 'handler.command is missing'],
    [{ ...COMMAND, dialect: 'zsh' }, 'handler.dialect is "zsh", not one of settings, toml, genesis'],
    [{ ...COMMAND, args: 'x' }, 'handler.args is "x", not a list of texts'],
    [{ type: 'http', url: 'http://x', method: 'GET', headers: {}, allowedEnv: [] }, 'handler.method is "GET", not one of POST, PUT'],
    [{ type: 'http', url: 'http://x', method: 'POST', allowedEnv: [] }, 'handler.headers is missing, not an object'],
    [{ type: 'prompt' }, 'handler.prompt is missing'],
    [{ type: 'agent', prompt: 7 }, 'handler.prompt is 7, not a text'],
    [{ type: 'mcp_tool', server: 's', input: {} }, 'handler.tool is missing'],
    [{ type: 'builtin', builtin: 'nope', config: {} }, 'handler.builtin is "nope", not one of genesis_enforcement'],
    [{ type: 'builtin', builtin: 'deny' }, 'handler.config is missing, not an object'],
  ])('%j', (handler, words) => {
    const definition = { event: 'PreToolUse', scope: 'session', handler } as HookDefinition
    for (const misuse of [
      () => createHooks().on('PreToolUse', 'Bash', handler as never),
      () => createHooks({ PreToolUse: [{ matcher: 'Bash', hooks: [handler as never] }] }),
      () => createRegistry().add(definition),
      () => createRegistry().addAll([definition]),
      () => createRegistry().registerSkill([definition]),
    ])
      expect(refusal(misuse)).toMatch(
        new RegExp(`PreToolUse hook.*: ${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}.*BELAY_HOOK_DEFINITION`),
      )
  })
})

describe('so is an option that means nothing', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ fail: 'maybe' }, 'fail is "maybe", not one of open, closed, ask'],
    [{ scope: 'galaxy' }, 'scope is "galaxy", not one of policy, plugin, session, skill'],
    [{ timeoutMs: -1 }, 'timeoutMs is -1, not a number of milliseconds above 0'],
    [{ timeoutMs: 0 }, 'timeoutMs is 0'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs is NaN'],
    [{ timeoutMs: '5s' }, 'timeoutMs is "5s"'],
    [{ budgetMs: -1 }, 'budgetMs is -1'],
    [{ order: 'random' }, 'order is "random", not one of sequence, group'],
    [{ once: 'yes' }, 'once is "yes", not true or false'],
    [{ async: 1 }, 'async is 1'],
    [{ name: 7 }, 'name is 7, not a text'],
    [{ condition: true }, 'condition is true, not a text'],
    [{ during: 7 }, 'during is 7, not a text'],
    [{ timeout: 5 }, 'no option timeout (did you mean timeoutMs?)'],
    [{ failMode: 'closed' }, 'no option failMode'],
  ])('%j', (options, words) => {
    expect(refusal(() => createHooks().on('PreToolUse', 'Bash', noop, options as never))).toContain(words)
  })

  test('with its place, where there is one', () => {
    const place = { file: 'hooks.json', line: 3, column: 5 }
    const definition = { event: 'PreToolUse', scope: 'session', fail: 'maybe', name: 'gate', handler: { type: 'inline', run: noop }, place }
    expect(refusal(() => createRegistry().add(definition as HookDefinition))).toMatch(
      /^hooks\.json:3:5: the PreToolUse hook "gate": fail is "maybe"/,
    )
  })

  test('nothing is registered then', () => {
    const registry = createRegistry()
    const good: HookDefinition = { event: 'PreToolUse', scope: 'session', handler: { type: 'inline', run: noop } }
    refusal(() => registry.addAll([good, { ...good, fail: 'maybe' } as unknown as HookDefinition]))
    expect(registry.list()).toEqual([])
  })
})

describe('a regular expression given as a text is refused, never a matcher that nothing fits', () => {
  test.each([
    '^Bash$',
    'Bash.*',
    '.*',
    'mcp__.*',
    'mcp__github__.+',
    '(Bash|Edit)',
    'Bash|Edit.*',
    '/Bash/',
    '/bash/i',
    '[BE].*',
    'Bash\\w',
    'Bash$',
    '^mcp__',
    'Edit.?',
    'Bash|^Edit',
  ])('%s', text => {
    expect(refusal(() => createHooks().on('PreToolUse', text, noop))).toMatch(/is a regular expression.*BELAY_HOOK_MATCHER/)
  })

  test.each(['Bash', 'mcp__*', 'Bash|Edit', 'Bas?', 'mcp__srv.name__tool', 'Bash(grep "a.*b" *)', 'Bash(ls /tmp/)', '*'])(
    '%s is none',
    text => {
      expect(createHooks().on('PreToolUse', text, noop)).toBeTypeOf('function')
    },
  )
})
