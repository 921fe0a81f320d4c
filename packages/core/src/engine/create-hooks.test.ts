import { describe, expect, expectTypeOf, test } from 'vitest'
import { allow, deny, none } from '../verdict/verdict.ts'
import { createHooks } from './create-hooks.ts'

describe('on', () => {
  test('types follow from the event name', () => {
    const hooks = createHooks()
    hooks.on('PreToolUse', 'Bash', context => {
      expectTypeOf(context.event).toEqualTypeOf<'PreToolUse'>()
      expectTypeOf(context.toolName).toEqualTypeOf<string>()
      expectTypeOf(context.toolInput).toEqualTypeOf<Record<string, unknown>>()
      expectTypeOf(context.userPrompt).toEqualTypeOf<string | null>()
      expectTypeOf(context.source.fields.toolUseId).toEqualTypeOf<string | null | undefined>()
    })
    hooks.on('UserPromptSubmit', context => {
      expectTypeOf(context.userPrompt).toEqualTypeOf<string>()
      expectTypeOf(context.toolInput).toEqualTypeOf<Record<string, unknown> | null>()
    })
    hooks.on('AgentStop', context => {
      expectTypeOf(context.event).toEqualTypeOf<'Stop'>()
    })
    // @ts-expect-error a hook returns a verdict, a result or nothing
    hooks.on('PreToolUse', 'Bash', () => 42)
    // @ts-expect-error a PreToolUse event has a tool
    void hooks.fire('PreToolUse', {})
  })

  test.each<[string, Parameters<ReturnType<typeof createHooks>['on']>[1], boolean]>([
    ['Bash', 'Bash', true],
    ['*', '*', true],
    ['Read|Bash', 'Read|Bash', true],
    ['Read', 'Read', false],
    ['null', null, true],
    ['RegExp', /^Ba/, true],
    ['function', (value: string) => value.length === 4, true],
    ['Bash(rm *) on a compound command', 'Bash(rm *)', true],
    ['Bash(git *)', 'Bash(git *)', false],
  ])('matcher %s', async (_title, matcher, fires) => {
    const hooks = createHooks()
    hooks.on('PreToolUse', matcher as string, () => deny('no'))
    const { verdict } = await hooks.fire('PreToolUse', { toolName: 'Bash', toolInput: { command: 'cd x && rm -rf y' } })
    expect(verdict.decision).toBe(fires ? 'deny' : 'none')
  })

  test('a rewrite can make a later Tool(spec) hook fire', async () => {
    const hooks = createHooks()
    hooks.on('PreToolUse', 'Bash', context => {
      context.toolInput.command = 'rm -rf y'
    })
    hooks.on('PreToolUse', 'Bash(rm *)', () => deny('no'))
    const { verdict } = await hooks.fire('PreToolUse', { toolName: 'Bash', toolInput: { command: 'ls' } })
    expect(verdict).toEqual(deny('no'))
  })

  test('Agent and Task are one tool', async () => {
    const hooks = createHooks()
    hooks.on('PreToolUse', 'Task', () => deny('no'))
    expect((await hooks.fire('PreToolUse', { toolName: 'Agent', toolInput: {} })).verdict).toEqual(deny('no'))
  })

  test('gives back its undo', async () => {
    const hooks = createHooks()
    const undo = hooks.on('Stop', () => deny('go on'))
    undo()
    expect((await hooks.fire('Stop', {})).verdict).toEqual(none())
  })

  test('a condition is CEL over the event', async () => {
    const hooks = createHooks()
    hooks.on('PreToolUse', null, () => deny('no'), { condition: 'event.input.command == "ls"' })
    const decisions = ['ls', 'pwd'].map(
      async command => (await hooks.fire('PreToolUse', { toolName: 'Bash', toolInput: { command } })).verdict.decision,
    )
    expect(await Promise.all(decisions)).toEqual(['deny', 'none'])
  })

  test.each<[string, () => unknown, RegExp]>([
    ['a broken matcher', () => createHooks().on('PreToolUse', 'Bash(', () => undefined), /BELAY_HOOK_MATCHER/],
    ['no function', () => createHooks().on('PreToolUse', 'Bash', undefined as never), /BELAY_HOOK_DEFINITION/],
    ['a matcher of the wrong kind', () => createHooks().on('PreToolUse', 7 as never, () => undefined), /BELAY_HOOK_MATCHER/],
    ['no event', () => createHooks().on('' as 'Stop', () => undefined), /BELAY_HOOK_DEFINITION/],
    ['a slip in an event', () => createHooks().on('PreTolUse', null, () => undefined), /did you mean PreToolUse\?.*BELAY_HOOK_DEFINITION/],
    [
      'a slip in a registration',
      () => createHooks({ UserPromtSubmit: [{ hooks: [() => undefined] }] } as never),
      /did you mean UserPromptSubmit/,
    ],
  ])('%s is refused with a code', (_title, misuse, message) => {
    expect(misuse).toThrow(message)
  })
})

describe('registration object', () => {
  test('runs in order, with matchers, null and AgentStop', async () => {
    const ran: string[] = []
    const hooks = createHooks({
      PreToolUse: [
        { matcher: '*', hooks: [context => void ran.push(`all ${context.toolName}`)] },
        { matcher: 'Bash', hooks: [() => void ran.push('bash'), () => allow()] },
        { matcher: 'Read', hooks: [() => void ran.push('read')] },
      ],
      UserPromptSubmit: [{ matcher: '*', hooks: [() => void ran.push('prompt')] }],
      AgentStop: [{ matcher: null, hooks: [() => void ran.push('stop')] }],
    })
    expect((await hooks.fire('PreToolUse', { toolName: 'Bash', toolInput: {} })).verdict).toEqual(allow())
    await hooks.fire('UserPromptSubmit', { prompt: 'hi' })
    await hooks.fire('AgentStop', {})
    await hooks.fire('Stop', {})
    expect(ran).toEqual(['all Bash', 'bash', 'prompt', 'stop', 'stop'])
  })
})

describe('fire', () => {
  test('metadata lasts from one event to the next, and says who fires', async () => {
    const hooks = createHooks({}, { sessionId: 's9', actor: 'agent:executor' })
    hooks.on('PreToolUse', null, context => {
      context.metadata.set('calls', Number(context.metadata.get('calls') ?? 0) + 1)
      return deny(`${context.sessionId} ${context.actor} ${context.metadata.get('calls')}`)
    })
    const call = { toolName: 'Bash', toolInput: {} }
    await hooks.fire('PreToolUse', call)
    expect((await hooks.fire('PreToolUse', call, { actor: 'agent:auditor' })).verdict).toEqual(deny('s9 agent:auditor 2'))
  })

  test('streams and batches by name too', async () => {
    const hooks = createHooks()
    hooks.on('Stop', () => deny('go on'))
    const kinds: string[] = []
    for await (const { kind } of hooks.fire.stream('Stop', {})) kinds.push(kind)
    expect([kinds, (await hooks.fireBatch('Stop', {})).map(({ outcome }) => outcome)]).toEqual([
      ['started', 'completed', 'result'],
      ['blocking'],
    ])
  })

  test('an unknown event runs its hooks and decides nothing', async () => {
    const hooks = createHooks()
    hooks.on('BrandNew', null, () => deny('no'))
    const { verdict, report } = await hooks.fire('BrandNew' as 'Stop', {})
    expect([verdict, report.dropped.map(({ what }) => what)]).toEqual([none(), ['deny']])
  })
})

test.each([
  ['mentu_commit', 'mcp__belay__mentu_commit', true],
  ['mentu_commit(*)', 'mcp__belay__mentu_commit', true],
  ['mentu_*', 'mcp__mentu__mentu_claim', true],
  ['mcp__belay__*', 'mcp__belay__mentu_commit', true],
  ['mentu_commit', 'mcp__other__mentu_commit', false],
  ['Bash', 'mcp__belay__Bash', false],
])('a matcher %s and a call of %s: %s', async (matcher, toolName, fires) => {
  const hooks = createHooks()
  hooks.on('PreToolUse', matcher, () => deny('no'))
  const { verdict } = await hooks.fire('PreToolUse', { toolName, toolInput: { text: 'x' } })
  expect(verdict.decision).toBe(fires ? 'deny' : 'none')
})
