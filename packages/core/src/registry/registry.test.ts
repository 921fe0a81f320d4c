import { describe, expect, test } from 'vitest'
import type { HookDefinition, Scope } from '../hook/hook-definition.ts'
import { createRegistry } from './registry.ts'

const noop = () => undefined

function command(text: string, more: Partial<HookDefinition> = {}): HookDefinition {
  return { event: 'PreToolUse', scope: 'session', handler: { type: 'command', command: text, dialect: 'settings' }, ...more }
}

function batches(hooks: readonly HookDefinition[], settings = {}): string[][] {
  const registry = createRegistry()
  registry.addAll(hooks)
  registry.configure(settings)
  return registry.planFor('PreToolUse').batches.map(batch => batch.map(({ label }) => label))
}

describe('order', () => {
  test('a sequence is one after another, a group at once', () => {
    const hooks = [
      command('a'),
      command('b', { order: 'group' }),
      command('c', { order: 'group' }),
      command('d'),
      command('e', { order: 'group' }),
    ]
    expect(batches(hooks)).toEqual([['a'], ['b', 'c'], ['d'], ['e']])
  })

  test('groups of different scopes do not mix', () => {
    expect(batches([command('a', { order: 'group' }), command('b', { order: 'group', scope: 'policy' })])).toEqual([['b'], ['a']])
  })

  test('other events have their own plan', () => {
    expect(batches([command('a', { event: 'Stop' })])).toEqual([])
  })
})

describe('settings', () => {
  const all = (['policy', 'plugin', 'session', 'skill'] as const).map((scope: Scope) => command(scope, { scope }))
  test.each([
    [{}, [['policy'], ['plugin'], ['session'], ['skill']]],
    [{ disableAllHooks: true }, [['policy']]],
    [{ allowManagedHooksOnly: true }, [['policy']]],
  ])('%j leaves %j', (settings, left) => {
    expect(batches(all, settings)).toEqual(left)
  })

  test('what is left out is named with the reason', () => {
    const registry = createRegistry()
    registry.addAll(all)
    registry.configure({ disableAllHooks: true })
    expect(registry.planFor('PreToolUse').leftOut.map(({ hook, why }) => [hook.label, why])).toEqual([
      ['plugin', 'disabled'],
      ['session', 'disabled'],
      ['skill', 'disabled'],
    ])
  })
})

describe('identical hooks of one scope run once', () => {
  test.each<[string, HookDefinition, HookDefinition, number]>([
    ['name and place do not count', command('a', { name: 'x' }), command('a', { place: { file: 'f', line: 1, column: 1 } }), 1],
    ['the same function', inlineHook(noop), inlineHook(noop), 1],
    ['two functions with one text', inlineHook(() => undefined), inlineHook(() => undefined), 2],
    ['another matcher', command('a'), command('a', { matcher: /x/ }), 2],
    ['the same RegExp twice', command('a', { matcher: /x/i }), command('a', { matcher: /x/i }), 1],
    ['another scope', command('a'), command('a', { scope: 'plugin' }), 2],
    ['another timeout', command('a'), command('a', { timeoutMs: 5 }), 2],
  ])('%s', (_title, first, second, runs) => {
    expect(batches([first, second])).toHaveLength(runs)
  })

  test('taking the first away leaves the second', () => {
    const registry = createRegistry()
    const undo = registry.add(command('a', { name: 'first' }))
    registry.add(command('a', { name: 'second' }))
    undo()
    expect(registry.planFor('PreToolUse').batches.map(batch => batch.map(({ label }) => label))).toEqual([['second']])
  })
})

describe('undo', () => {
  test('takes back exactly what was added, and does it once', () => {
    const registry = createRegistry()
    const undo = registry.addAll([command('a'), command('b')])
    registry.add(command('c'))
    undo()
    undo()
    expect(registry.list().map(({ label }) => label)).toEqual(['c'])
  })

  test('a skill takes its hooks with it', () => {
    const registry = createRegistry()
    const undo = registry.registerSkill([{ event: 'PreToolUse', handler: { type: 'inline', run: noop } }])
    expect(registry.list().map(({ scope }) => scope)).toEqual(['skill'])
    undo()
    expect(registry.list()).toEqual([])
  })

  test('one bad matcher among several adds none of them, and says where it is', () => {
    const registry = createRegistry()
    const bad = command('b', { matcher: { dialect: 'genesis', text: 'Bash(' }, place: { file: 'genesis.key', line: 4, column: 7 } })
    expect(() => registry.addAll([command('a'), bad])).toThrow(/^genesis\.key:4:7: matcher of hook "b": .*\(BELAY_HOOK_MATCHER\)$/)
    expect(registry.list()).toEqual([])
  })
})

function inlineHook(run: () => undefined): HookDefinition {
  return { event: 'PreToolUse', scope: 'session', handler: { type: 'inline', run } }
}
