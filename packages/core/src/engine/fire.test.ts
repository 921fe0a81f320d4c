import { describe, expect, test } from 'vitest'
import type { InlineHandler } from '../hook/hook-context.ts'
import type { HookDefinition } from '../hook/hook-definition.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import { createRegistry } from '../registry/registry.ts'
import { allow, ask, deny, none, type Verdict } from '../verdict/verdict.ts'
import { createEngine } from './engine.ts'
import type { FireResult } from './fire-result.ts'
import { bash, inline, makeEvent } from './fixtures/make-event.ts'

function fireWith(hooks: readonly HookDefinition[], event: HookEvent): Promise<FireResult> {
  const registry = createRegistry()
  registry.addAll(hooks)
  return createEngine({ registry }).fire(event)
}

describe('verdicts', () => {
  const cases: readonly (readonly [string, readonly Verdict[], Verdict])[] = [
    ['nothing', [], none()],
    ['none, none', [none(), none()], none()],
    ['none, allow', [none(), allow()], allow()],
    ['allow, ask', [allow(), ask('sure?')], ask('sure?')],
    ['ask, allow', [ask('sure?'), allow()], ask('sure?')],
    ['allow, deny', [allow(), deny('no')], deny('no')],
    ['ask, deny', [ask(), deny('no')], deny('no')],
  ]
  for (const [title, said, expected] of cases) {
    test(`${title} gives ${expected.decision}, one after another, at once, and by promise`, async () => {
      const sync = said.map((verdict, at) => inline(() => verdict, { name: `h${at}` }))
      const late = said.map((verdict, at) => inline(async () => verdict, { name: `h${at}` }))
      const group = late.map(hook => ({ ...hook, order: 'group' as const }))
      for (const hooks of [sync, late, group]) expect((await fireWith(hooks, bash('ls'))).verdict).toEqual(expected)
    })
  }

  test('a deny ends what comes after it', async () => {
    const ran: string[] = []
    const note = (name: string, verdict: Verdict) => inline(() => record(ran, name, verdict), { name })
    const { report } = await fireWith([note('first', allow()), note('second', deny('no')), note('third', allow())], bash('ls'))
    expect(ran).toEqual(['first', 'second'])
    expect(report.skipped).toEqual([{ hook: 'third', scope: 'session', why: 'after-deny' }])
  })

  test('a hook that is there for something else is neither run nor reported', async () => {
    const ran: string[] = []
    const own = (name: string, during: string) => inline(() => void ran.push(name), { name, order: 'group', during })
    const registry = createRegistry()
    registry.addAll([own('first', 'a'), own('second', 'b'), inline(() => void ran.push('third'), { name: 'third' })])
    const engine = createEngine({ registry })
    const hooksOf = async (during?: string) => {
      const { report } = await engine.fire(bash('ls'), during === undefined ? {} : { during })
      return [...report.runs, ...report.skipped].map(({ hook }) => hook)
    }
    expect([await hooksOf('b'), await hooksOf(), await hooksOf('a'), await hooksOf('b')]).toEqual([
      ['second', 'third'],
      ['third'],
      ['first', 'third'],
      ['second', 'third'],
    ])
    expect(ran).toEqual(['second', 'third', 'third', 'first', 'third', 'second', 'third'])
  })

  test('there is a promise only where a hook has to be waited for', async () => {
    const [registry, late] = [createRegistry(), createRegistry()]
    registry.add(inline(() => deny('no')))
    late.add(inline(async () => deny('no')))
    expect(createEngine({ registry }).fire.now(bash('ls'))).toMatchObject({ verdict: deny('no') })
    const waiting = createEngine({ registry: late }).fire.now(bash('ls'))
    expect(waiting).toBeInstanceOf(Promise)
    expect(await waiting).toMatchObject({ verdict: deny('no') })
  })

  test('hooks run from policy to skill, whatever the order of registration', async () => {
    const ran: string[] = []
    const scopes = ['skill', 'session', 'policy', 'plugin'] as const
    await fireWith(
      scopes.map(scope => inline(() => void ran.push(scope), { scope, name: scope })),
      bash('ls'),
    )
    expect(ran).toEqual(['policy', 'plugin', 'session', 'skill'])
  })
})

describe('rewrites', () => {
  const upper: InlineHandler = context => {
    if (context.toolInput !== null) context.toolInput.command = String(context.toolInput.command).toUpperCase()
  }
  const append: InlineHandler = context => {
    context.toolInput = { ...context.toolInput, command: `${context.toolInput?.command}!` }
  }

  test('in a sequence each hook sees the rewrites of those before it', async () => {
    const event = bash('ls')
    const result = await fireWith([inline(upper), inline(append)], event)
    expect(result.event.fields.toolInput).toEqual({ command: 'LS!' })
    expect(result.rewrites.map(({ hook, before, after }) => ({ hook, before, after }))).toEqual([
      { hook: 'upper', before: { command: 'ls' }, after: { command: 'LS' } },
      { hook: 'append', before: { command: 'LS' }, after: { command: 'LS!' } },
    ])
    expect(event.fields.toolInput).toEqual({ command: 'ls' })
  })

  test('in a group all see the original, position decides, and the conflict is recorded', async () => {
    const slow: InlineHandler = async context => {
      await new Promise(resolve => setTimeout(resolve, 5))
      upper(context)
    }
    const result = await fireWith([inline(slow, { order: 'group' }), inline(append, { order: 'group' })], bash('ls'))
    expect(result.event.fields.toolInput).toEqual({ command: 'ls!' })
    expect(result.rewrites.map(({ hook, conflictsWith }) => ({ hook, conflictsWith }))).toEqual([
      { hook: 'slow', conflictsWith: undefined },
      { hook: 'append', conflictsWith: 'slow' },
    ])
  })

  test('the hashes are those of the canonical JSON and survive JSON.stringify', async () => {
    const swap: InlineHandler = () => ({ rewrite: { input: { b: 1, a: 2 } } })
    const { rewrites } = await fireWith([inline(swap)], makeEvent('PreToolUse', { toolName: 'X', toolInput: {} }))
    expect(JSON.parse(JSON.stringify(rewrites))).toMatchObject([
      {
        beforeHash: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
        afterHash: 'd3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772',
      },
    ])
  })

  test('a hook that changed the input and put it back has rewritten nothing', async () => {
    const back: InlineHandler = context => {
      if (context.toolInput !== null) context.toolInput.command = 'other'
      if (context.toolInput !== null) context.toolInput.command = 'ls'
    }
    const event = bash('ls')
    const result = await fireWith([inline(back)], event)
    expect(result.event).toBe(event)
    expect(result.rewrites).toEqual([])
  })

  test('a hook that keeps the input and changes it later changes nothing', async () => {
    let kept: Record<string, unknown> | null = null
    const keep: InlineHandler = context => {
      append(context)
      kept = context.toolInput
    }
    const result = await fireWith([inline(keep)], bash('ls'))
    Object.assign(kept ?? {}, { command: 'rm -rf /' })
    expect(result.event.fields.toolInput).toEqual({ command: 'ls!' })
  })

  test('prompt and output are rewritten where the event allows it', async () => {
    const shout: InlineHandler = context => {
      context.userPrompt = `${context.userPrompt}!`
    }
    const mask: InlineHandler = context => {
      context.toolOutput = 'masked'
    }
    const prompt = await fireWith([inline(shout, { event: 'UserPromptSubmit' })], makeEvent('UserPromptSubmit', { prompt: 'hello' }))
    const output = await fireWith(
      [inline(mask, { event: 'PostToolUse' })],
      makeEvent('PostToolUse', { toolName: 'X', toolResponse: 'secret' }),
    )
    expect([prompt.event.fields.prompt, output.event.fields.toolResponse]).toEqual(['hello!', 'masked'])
  })

  test('modifyFrom: policy drops the rewrites of everybody else and says so', async () => {
    const registry = createRegistry()
    registry.configure({ modifyFrom: 'policy' })
    registry.addAll([inline(upper, { scope: 'policy' }), inline(append)])
    const result = await createEngine({ registry }).fire(bash('ls'))
    expect(result.event.fields.toolInput).toEqual({ command: 'LS' })
    expect(result.report.dropped).toEqual([
      { hook: 'append', what: 'rewrite input', why: 'the settings let only policy hooks rewrite (modifyFrom: policy)' },
    ])
  })
})

describe('what an event cannot do is dropped and reported', () => {
  const cases: readonly (readonly [string, ReturnType<InlineHandler>, string])[] = [
    ['SessionStart', deny('no'), 'deny'],
    ['UserPromptSubmit', allow(), 'allow'],
    ['UserPromptSubmit', ask(), 'ask'],
    ['PostToolUse', { rewrite: { input: {} } }, 'rewrite input'],
    ['SessionEnd', { context: 'text' }, 'context'],
    ['SessionEnd', { stop: { reason: 'enough' } }, 'stop'],
    ['NobodyKnows', deny('no'), 'deny'],
    ['PreToolUse', { rewrite: { input: [] as unknown as Record<string, unknown> } }, 'rewrite input'],
  ]
  for (const [event, answer, what] of cases) {
    test(`${event}: ${JSON.stringify(answer)}`, async () => {
      const result = await fireWith([inline(() => answer, { event, name: 'h' })], makeEvent(event))
      expect(result.verdict).toEqual(none())
      expect(result.report.dropped.map(({ hook, what }) => ({ hook, what }))).toEqual([{ hook: 'h', what }])
    })
  }

  test('a model can only tighten', async () => {
    const registry = createRegistry()
    registry.addAll(['yes', 'no'].map(prompt => ({ event: 'PreToolUse', scope: 'session', handler: { type: 'prompt', prompt } }) as const))
    const engine = createEngine({
      registry,
      runHandler: async ({ handler }) => ({
        kind: 'answered',
        result: { verdict: handler.type === 'prompt' && handler.prompt === 'yes' ? allow() : deny('no') },
      }),
    })
    const result = await engine.fire(bash('ls'))
    expect(result.verdict).toEqual(deny('no'))
    expect(result.report.dropped).toEqual([{ hook: 'prompt: yes', what: 'allow', why: 'a model can only tighten' }])
  })
})

test('texts, evidence and the end of the turn are gathered in order', async () => {
  const first = inline(() => ({ context: 'a', message: 'm', evidence: { kind: 'k', data: {} } }), { name: 'first' })
  const second = inline(() => ({ context: 'b', stop: { reason: 'enough' }, suppressOutput: true }), { name: 'second' })
  const { context, messages, evidence, stop, suppressOutput } = await fireWith([first, second], bash('ls'))
  expect({ context, messages, evidence, stop, suppressOutput }).toEqual({
    context: ['a', 'b'],
    messages: ['m'],
    evidence: [{ kind: 'k', data: {}, hook: 'first', scope: 'session', isBuiltin: false }],
    stop: { reason: 'enough', hook: 'second' },
    suppressOutput: true,
  })
})

test('facts for the classifier count after a tool, a new try where the agent refused one, and nowhere else', async () => {
  const [first, second] = ['a', 'b'].map(name => inline(() => ({ forAgent: { classifierContext: name, retry: true } }), { name }))
  const after = (event: string) =>
    fireWith(
      [
        { ...first, event },
        { ...second, event },
      ] as HookDefinition[],
      { ...bash('ls'), name: event },
    )
  const [use, refused, before] = await Promise.all([after('PostToolUse'), after('PermissionDenied'), after('PreToolUse')])
  expect([use.forAgent, refused.forAgent, before.forAgent]).toEqual([{ classifierContext: 'a\nb' }, { retry: true }, undefined])
  expect(before.report.dropped.map(({ what }) => what)).toEqual(['context', 'retry', 'context', 'retry'])
})

test('the report names every hook that ran, with its place', async () => {
  const place = { file: 'genesis.key', line: 3, column: 5 }
  const { report } = await fireWith([inline(() => deny('no'), { name: 'gate', scope: 'policy', place })], bash('ls'))
  expect(report.runs).toEqual([
    {
      hook: 'gate',
      scope: 'policy',
      handler: 'inline',
      place,
      outcome: 'blocking',
      verdict: deny('no'),
      startedMs: expect.any(Number),
      durationMs: expect.any(Number),
    },
  ])
})

test('without a report the verdict is the same', async () => {
  const registry = createRegistry()
  registry.addAll([inline(() => allow()), inline(async () => deny('no'))])
  const result = await createEngine({ registry }).fire(bash('ls'), { report: false })
  expect([result.verdict, result.report]).toEqual([deny('no'), { runs: [], skipped: [], dropped: [] }])
})

function record(ran: string[], name: string, verdict: Verdict): Verdict {
  ran.push(name)
  return verdict
}
