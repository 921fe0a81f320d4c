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

describe('a hook that fails and is let through', () => {
  const crash: InlineHandler = () => {
    throw new Error('boom')
  }
  const WENT_ON = 'and what it watches went on without it'

  test('is told to the person once a session, whatever the event', async () => {
    const registry = createRegistry()
    registry.addAll([
      inline(crash, { name: 'before' }),
      inline(crash, { name: 'after', event: 'PostToolUse', scope: 'policy' }),
      inline(crash, { name: 'gate', scope: 'policy', event: 'PermissionRequest' }),
    ])
    const { fire } = createEngine({ registry })
    const first = await fire(bash('ls'))
    expect(first.messages).toEqual([expect.stringMatching(new RegExp(`^hook "before" threw: boom.*${WENT_ON}$`))])
    expect(first.warnings).toEqual(first.messages)
    expect((await fire(bash('ls'))).messages).toEqual([])
    expect((await fire({ ...bash('ls'), name: 'PostToolUse' })).messages).toEqual([expect.stringContaining('hook "after"')])
    expect((await fire({ ...bash('ls'), sessionId: 'other' })).messages).toHaveLength(1)
    const denied = await fire({ ...bash('ls'), name: 'PermissionRequest' })
    expect([denied.verdict.decision, denied.messages]).toEqual(['deny', []])
  })

  test('that ends after its event is told with the next one of the session', async () => {
    const registry = createRegistry()
    registry.addAll([
      command('echo broken >&2; exit 1', { async: true, name: 'crashes' }),
      inline(() => new Promise(() => undefined), { async: true, name: 'hangs', timeoutMs: 20 }),
    ])
    const { fire } = createEngine({ registry })
    const first = await fire({ ...bash('ls'), cwd: '/' })
    expect(first.messages).toEqual([])
    expect(await Promise.all(first.background)).toMatchObject([
      { hook: 'crashes', outcome: 'non_blocking_error', error: expect.stringContaining('broken') },
      { hook: 'hangs', outcome: 'cancelled', error: 'timeout' },
    ])
    expect((await fire({ ...bash('ls'), sessionId: 'other', name: 'Stop' })).messages).toEqual([])
    expect([...(await fire({ ...bash('ls'), name: 'Stop' })).messages].sort()).toEqual([
      expect.stringContaining('crashes'),
      `hook "hangs" ran out of time, ${WENT_ON}`,
    ])
    expect((await fire({ ...bash('ls'), name: 'Stop' })).messages).toEqual([])
  })

  test('is not told where the caller itself gave up', async () => {
    const registry = createRegistry()
    registry.add(inline(() => new Promise(() => undefined), { name: 'hangs' }))
    const stop = new AbortController()
    const firing = createEngine({ registry }).fire(bash('ls'), { signal: stop.signal })
    stop.abort()
    expect((await firing).messages).toEqual([])
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
