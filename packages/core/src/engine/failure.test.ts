import { describe, expect, test } from 'vitest'
import type { InlineHandler } from '../hook/hook-context.ts'
import type { FailMode, HookDefinition, Scope } from '../hook/hook-definition.ts'
import { createRegistry } from '../registry/registry.ts'
import { allow, deny, type Verdict } from '../verdict/verdict.ts'
import { createHooks } from './create-hooks.ts'
import { createEngine, type Engine } from './engine.ts'
import { bash, inline, makeEvent } from './fixtures/make-event.ts'
import { createToolPipeline } from './pipeline/create-tool-pipeline.ts'

function engineWith(...hooks: readonly HookDefinition[]): Engine {
  const registry = createRegistry()
  registry.addAll(hooks)
  return createEngine({ registry })
}

const hang: InlineHandler = () => new Promise(() => undefined)
const block: InlineHandler = () => {
  const start = performance.now()
  while (performance.now() - start < 30);
}
const crash: InlineHandler = () => {
  throw new Error('boom')
}
const reject: InlineHandler = async () => {
  throw new Error('boom')
}

describe('a hook without an answer means what its fail says, as far as the event lets it', () => {
  test.each<[string, Scope, FailMode | undefined, string, string]>([
    ['PreToolUse', 'policy', undefined, 'deny', 'blocking'],
    ['PreToolUse', 'session', undefined, 'none', 'non_blocking_error'],
    ['PreToolUse', 'session', 'closed', 'deny', 'blocking'],
    ['PreToolUse', 'policy', 'open', 'none', 'non_blocking_error'],
    ['PreToolUse', 'session', 'ask', 'ask', 'non_blocking_error'],
    ['PermissionRequest', 'policy', undefined, 'deny', 'blocking'],
    ['PermissionRequest', 'session', 'ask', 'none', 'non_blocking_error'],
    ['UserPromptSubmit', 'session', 'closed', 'deny', 'blocking'],
    ['UserPromptSubmit', 'session', 'ask', 'none', 'non_blocking_error'],
    ['PostToolUse', 'policy', 'closed', 'none', 'non_blocking_error'],
    ['Stop', 'policy', 'closed', 'none', 'non_blocking_error'],
    ['SessionStart', 'policy', 'closed', 'none', 'non_blocking_error'],
    ['NobodyKnows', 'policy', 'closed', 'none', 'non_blocking_error'],
  ])('%s in %s scope, fail %s: %s, %s', async (event, scope, fail, decision, outcome) => {
    for (const run of [crash, reject]) {
      const engine = engineWith(inline(run, { event, scope, ...(fail === undefined ? {} : { fail }) }))
      const result = await engine.fire(makeEvent(event, { toolName: 'X', toolInput: {} }))
      expect([result.verdict.decision, result.report.runs.map(one => one.outcome)]).toEqual([decision, [outcome]])
    }
  })
})

describe('an answer that means nothing', () => {
  const malformed: readonly unknown[] = [
    42,
    'deny',
    true,
    [],
    { decision: 'Deny' },
    { decision: 'block' },
    { contxt: 'typo' },
    { verdict: 'deny' },
  ]
  const answering = (answer: unknown): readonly InlineHandler[] => [() => answer as undefined, async () => answer as undefined]

  test.each<[string, Scope, FailMode | undefined, string, string]>([
    ['PreToolUse', 'policy', undefined, 'deny', 'blocking'],
    ['PreToolUse', 'plugin', undefined, 'deny', 'blocking'],
    ['PreToolUse', 'session', undefined, 'deny', 'blocking'],
    ['PreToolUse', 'skill', undefined, 'deny', 'blocking'],
    ['PermissionRequest', 'session', undefined, 'deny', 'blocking'],
    ['PreToolUse', 'session', 'open', 'none', 'non_blocking_error'],
    ['PreToolUse', 'session', 'ask', 'ask', 'non_blocking_error'],
    ['UserPromptSubmit', 'session', undefined, 'none', 'non_blocking_error'],
    ['PostToolUse', 'session', undefined, 'none', 'non_blocking_error'],
  ])('%s in %s scope, fail %s: %s, %s, and it is named', async (event, scope, fail, decision, outcome) => {
    for (const run of malformed.flatMap(answering)) {
      const engine = engineWith(inline(run, { event, scope, ...(fail === undefined ? {} : { fail }) }))
      const result = await engine.fire(makeEvent(event, { toolName: 'X', toolInput: {} }))
      expect([result.verdict.decision, result.report.runs.map(one => [one.outcome, one.code])]).toEqual([
        decision,
        [[outcome, 'BELAY_HOOK_ANSWER']],
      ])
    }
  })
})

describe('a deny counts, whatever was given as its reason', () => {
  const given: readonly unknown[] = [
    undefined,
    null,
    '',
    new Error('boom'),
    new Error(''),
    42,
    Number.NaN,
    true,
    {},
    { toString: null },
    [],
    Symbol('s'),
    1n,
  ]
  const spellings: readonly ((reason: unknown) => unknown)[] = [
    reason => deny(reason),
    reason => ({ decision: 'deny', reason }),
    () => ({ decision: 'deny' }),
    reason => ({ verdict: { decision: 'deny', reason } }),
  ]

  test.each<Scope>(['policy', 'plugin', 'session', 'skill'])('in %s scope', async scope => {
    for (const reason of given) {
      for (const spell of spellings) {
        for (const run of [() => spell(reason), async () => spell(reason)] as InlineHandler[]) {
          const ran: unknown[] = []
          const hooks = createHooks()
          hooks.on('PreToolUse', run, { scope })
          const pipeline = createToolPipeline({ hooks, tools: [{ name: 'X', execute: () => void ran.push(1) }] })
          const result = await pipeline.runTool('X', {})
          expect([result.status, typeof result.reason, result.reason === '', ran]).toEqual(['denied', 'string', false, []])
        }
      }
    }
  })

  test.each([
    [deny(), 'no reason given'],
    [deny(new Error('boom')), 'boom'],
    [deny(42), '42'],
  ])('%j', (verdict, reason) => {
    expect(verdict).toEqual({ decision: 'deny', reason })
  })
})

test('the reason names the hook and what went wrong', async () => {
  const result = await engineWith(inline(crash, { name: 'gate', scope: 'policy' })).fire(bash('ls'))
  expect(result.verdict).toMatchObject({
    reason: expect.stringMatching(/^hook "gate" threw: boom, and it is set to refuse then\. So nothing was judged: .* tell the person\.$/),
  })
  expect(result.report.runs).toMatchObject([
    { hook: 'gate', code: 'BELAY_HOOK_THREW', error: expect.stringMatching(/boom; .*\(BELAY_HOOK_THREW\)/) },
  ])
})

test('a hook that fails open does not stop the others', async () => {
  const result = await engineWith(
    inline(crash),
    inline(() => allow(), { name: 'next' }),
  ).fire(bash('ls'))
  expect(result.verdict).toEqual(allow())
})

describe('time', () => {
  test.each<[string, Partial<HookDefinition>, string]>([
    ['open', {}, 'allow'],
    ['closed', { fail: 'closed' }, 'deny'],
    ['ask', { fail: 'ask' }, 'ask'],
  ])('a hook that hangs is cancelled at its limit and fails %s', async (_title, more, decision) => {
    let told = false
    const listening: InlineHandler = context => {
      context.signal.addEventListener('abort', () => {
        told = true
      })
      return hang(context)
    }
    const engine = engineWith(
      inline(listening, { timeoutMs: 20, ...more }),
      inline(() => allow(), { name: 'next' }),
    )
    const result = await engine.fire(bash('ls'))
    expect([result.verdict.decision, told]).toEqual([decision, true])
    expect(result.report.runs[0]).toMatchObject({ outcome: 'cancelled', error: 'timeout' })
  })

  test('an answer that comes too late is not heard, also not as the answer of the next hook', async () => {
    const late: InlineHandler = () => new Promise(resolve => setTimeout(() => resolve(deny('late')), 40))
    const slow: InlineHandler = () => new Promise(resolve => setTimeout(() => resolve(allow('in time')), 60))
    const result = await engineWith(inline(late, { timeoutMs: 20 }), inline(slow)).fire(bash('ls'))
    expect(result.verdict).toEqual(allow('in time'))
  })

  test('in a group each hook has its own limit', async () => {
    const engine = engineWith(
      inline(hang, { name: 'a', timeoutMs: 20, order: 'group' }),
      inline(async () => allow(), { name: 'b', order: 'group' }),
      inline(hang, { name: 'c', timeoutMs: 30, order: 'group' }),
    )
    const { report, verdict } = await engine.fire(bash('ls'))
    expect(verdict).toEqual(allow())
    expect(report.runs.map(({ hook, outcome }) => [hook, outcome])).toEqual([
      ['a', 'cancelled'],
      ['b', 'success'],
      ['c', 'cancelled'],
    ])
  })

  test("when the caller's time is up, hooks that had not begun count as cancelled too", async () => {
    const ran: string[] = []
    const engine = engineWith(
      inline(block, { name: 'slow' }),
      inline(() => void ran.push('gate'), { name: 'gate', fail: 'closed' }),
    )
    const result = await engine.fire(bash('ls'), { deadlineMs: 20 })
    expect(result.verdict).toEqual(
      deny(
        'hook "gate" ran out of time, and it is set to refuse then. So nothing was judged: do not look for a way around it, tell the person.',
      ),
    )
    expect(ran).toEqual([])
  })

  test('going over a budget is recorded, nothing more', async () => {
    const slow: InlineHandler = () => new Promise(resolve => setTimeout(resolve, 20))
    const { report } = await engineWith(inline(slow, { budgetMs: 1 })).fire(bash('ls'))
    expect(report.runs).toMatchObject([{ outcome: 'success', overBudget: true }])
  })
})

describe('cancelling', () => {
  test('what runs is cancelled, what has not begun counts as cancelled, and fail decides', async () => {
    const controller = new AbortController()
    const engine = engineWith(
      inline(hang, { name: 'a' }),
      inline(() => allow(), { name: 'b', fail: 'closed' }),
    )
    setTimeout(() => controller.abort(), 10)
    const result = await engine.fire(bash('ls'), { signal: controller.signal })
    expect(result.verdict).toEqual(
      deny(
        'hook "b" was cancelled, and it is set to refuse then. So nothing was judged: do not look for a way around it, tell the person.',
      ),
    )
    expect(result.report.runs.map(({ hook, outcome, error }) => [hook, outcome, error])).toEqual([
      ['a', 'cancelled', 'aborted'],
      ['b', 'cancelled', 'aborted'],
    ])
  })

  test('a signal that was aborted before: nothing starts', async () => {
    const ran: string[] = []
    const engine = engineWith(inline(() => void ran.push('a')))
    const { report } = await engine.fire(bash('ls'), { signal: AbortSignal.abort() })
    expect([ran, report.runs.map(({ outcome }) => outcome)]).toEqual([[], ['cancelled']])
  })

  test.each(['sequence', 'group'] as const)('a hook that cancels the firing itself, in a %s', async order => {
    const controller = new AbortController()
    const abort: InlineHandler = context => {
      controller.abort()
      return hang(context)
    }
    const engine = engineWith(inline(abort, { name: 'a', order }), inline(hang, { name: 'b', order }))
    const { report } = await engine.fire(bash('ls'), { signal: controller.signal })
    expect(report.runs.map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled'])
  })
})

test('what a hook says after it was given up is heard by no other firing', async () => {
  const answers: ((verdict: Verdict) => void)[] = []
  const engine = createEngine()
  engine.registry.add({
    event: 'PreToolUse',
    scope: 'session',
    timeoutMs: 10,
    handler: { type: 'inline', run: () => new Promise<Verdict>(resolve => answers.push(resolve)) },
  })
  expect((await engine.fire(bash('ls'))).report.runs[0]?.outcome).toBe('cancelled')
  const second = engine.fire(bash('ls'))
  answers[0]?.(deny('too late'))
  await Promise.resolve()
  answers[1]?.(allow())
  expect((await second).verdict).toEqual(allow())
})
