import { describe, expect, test } from 'vitest'
import type { InlineHandler } from '../hook/hook-context.ts'
import type { HookDefinition } from '../hook/hook-definition.ts'
import { createRegistry } from '../registry/registry.ts'
import { allow, deny, none } from '../verdict/verdict.ts'
import { createEngine } from './engine.ts'
import { bash, inline } from './fixtures/make-event.ts'

const command = (text: string, more: Partial<HookDefinition> = {}): HookDefinition => ({
  event: 'PreToolUse',
  scope: 'session',
  handler: { type: 'command', command: text, dialect: 'settings' },
  ...more,
})

describe('async hooks', () => {
  test('do not hold the event up, decide nothing, and report their end', async () => {
    let release: (verdict: ReturnType<typeof deny>) => void = () => undefined
    const slow: InlineHandler = () =>
      new Promise(resolve => {
        release = resolve
      })
    const registry = createRegistry()
    registry.addAll([inline(slow, { name: 'slow', async: true, scope: 'policy' }), inline(() => allow(), { name: 'next' })])
    const result = await createEngine({ registry }).fire(bash('ls'))
    expect(result.verdict).toEqual(allow())
    expect(result.report.runs).toMatchObject([
      { hook: 'slow', detached: true, outcome: 'success' },
      { hook: 'next', outcome: 'success' },
    ])
    await new Promise(setImmediate)
    release(deny('too late'))
    expect(await Promise.all(result.background)).toMatchObject([{ hook: 'slow', outcome: 'success', verdict: none() }])
  })

  test('that block the thread do it after the answer', async () => {
    const order: string[] = []
    const registry = createRegistry()
    registry.add(inline(() => void order.push('hook'), { async: true }))
    const result = await createEngine({ registry }).fire(bash('ls'))
    order.push('answer')
    await Promise.all(result.background)
    expect(order).toEqual(['answer', 'hook'])
  })

  test('have a limit of their own', async () => {
    const registry = createRegistry()
    registry.add(inline(() => new Promise(() => undefined), { async: true, timeoutMs: 20 }))
    const { background } = await createEngine({ registry }).fire(bash('ls'))
    expect(await Promise.all(background)).toMatchObject([{ outcome: 'cancelled', error: 'timeout' }])
  })

  test('may be commands, by their definition or by their first line', async () => {
    const registry = createRegistry()
    registry.addAll([
      command('exit 2', { async: true, name: 'defined' }),
      command(`echo '{"async":true}'; sleep 0.05; exit 2`, { name: 'answered' }),
    ])
    const { verdict, background } = await createEngine({ registry }).fire({ ...bash('ls'), cwd: '/' })
    expect(verdict).toEqual(none())
    expect((await Promise.all(background)).map(({ hook }) => hook)).toEqual(['defined', 'answered'])
  })
})

describe('once', () => {
  test('a hook is gone after its first success, and so is its double', async () => {
    let runs = 0
    const count: InlineHandler = () => {
      runs += 1
      if (runs === 1) throw new Error('not yet')
    }
    const registry = createRegistry()
    registry.addAll([inline(count, { once: true }), inline(count, { once: true, name: 'double' })])
    const engine = createEngine({ registry })
    for (let at = 0; at < 4; at += 1) await engine.fire(bash('ls'))
    expect([runs, registry.list()]).toEqual([2, []])
  })

  test('a registry that serves many sessions runs it once in each', async () => {
    const sessions: string[] = []
    const registry = createRegistry({}, { oncePer: 'session' })
    registry.add(inline(context => void sessions.push(context.sessionId), { once: true }))
    const engine = createEngine({ registry })
    for (const sessionId of ['a', 'a', 'b', 'a', 'b']) await engine.fire({ ...bash('ls'), sessionId })
    expect(sessions).toEqual(['a', 'b'])
    expect((await engine.fire({ ...bash('ls'), sessionId: 'a' })).report.skipped).toMatchObject([{ why: 'once' }])
  })

  test('a hook that blocked has not succeeded', async () => {
    const registry = createRegistry()
    registry.add(inline(() => deny('no'), { once: true }))
    await createEngine({ registry }).fire(bash('ls'), { report: false })
    expect(registry.list()).toHaveLength(1)
  })

  test('an async hook counts when it has ended', async () => {
    const registry = createRegistry()
    registry.add(inline(async () => undefined, { once: true, async: true }))
    const { background } = await createEngine({ registry }).fire(bash('ls'))
    expect(registry.list()).toHaveLength(1)
    await Promise.all(background)
    expect(registry.list()).toEqual([])
  })
})
