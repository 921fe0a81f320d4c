import { describe, expect, test } from 'vitest'
import type { HookEvent } from '../hook/hook-event.ts'
import { allow, ask, deny, none } from '../verdict/verdict.ts'
import { callInline, readAnswer } from './inline.ts'
import { InlineContext } from './inline-context.ts'
import { copyValue, isSameValue } from './inline-value.ts'

const EVENT: HookEvent = {
  name: 'PreToolUse',
  sessionId: 's1',
  cwd: '/repo',
  transcriptPath: null,
  permissionMode: null,
  actor: 'agent:test',
  agent: 'test',
  commitment: null,
  fields: { toolName: 'Bash', toolInput: { command: 'ls' }, toolUseId: 'u1' },
  env: {},
}

function makeContext(event = EVENT): InlineContext {
  return new InlineContext(event, { options: {}, parts: { metadata: new Map() } }, 'h')
}

describe('what a function may return', () => {
  test.each([
    [undefined, { verdict: none() }],
    [null, { verdict: none() }],
    [{}, { verdict: none() }],
    [none(), { verdict: none() }],
    [allow('fine'), { verdict: allow('fine') }],
    [deny('no'), { verdict: deny('no') }],
    [ask('sure?'), { verdict: ask('sure?') }],
    [ask('sure?', 'default'), { verdict: ask('sure?', 'hook') }],
    [{ decision: 'deny' }, { verdict: deny('no reason given') }],
    [{ decision: 'deny', reason: null }, { verdict: deny('no reason given') }],
    [{ decision: 'deny', reason: 42 }, { verdict: deny('42') }],
    [
      { verdict: { decision: 'deny' }, context: 'c' },
      { verdict: deny('no reason given'), context: 'c' },
    ],
    [{ decision: 'ask', reason: 42 }, { verdict: ask('42') }],
    [{ decision: 'allow', reason: 42 }, { verdict: allow('42') }],
    [{ context: 'text' }, { verdict: none(), context: 'text' }],
    [
      { verdict: deny('no'), message: 'm' },
      { verdict: deny('no'), message: 'm' },
    ],
  ])('%j', (answer, result) => {
    expect(readAnswer(answer as undefined, makeContext(), 'h')).toEqual({ kind: 'answered', result })
  })

  test('a deny is never lost: what is wrong beside it becomes a note', () => {
    expect(readAnswer({ verdict: deny('no'), contxt: 'typo' } as unknown as undefined, makeContext(), 'gate')).toEqual({
      kind: 'answered',
      result: { verdict: deny('no') },
      detail: { notes: [expect.stringContaining('hook "gate" returned')] },
    })
  })

  test.each<[unknown, string]>([
    [42, '42'],
    [true, 'true'],
    ['deny', '"deny"'],
    [[], '[]'],
    [{ decision: 'maybe' }, '{"decision":"maybe"}'],
    [{ decision: 'Deny' }, '{"decision":"Deny"}'],
    [{ contxt: 'typo' }, '{"contxt":"typo"}'],
    [{ verdict: 'deny' }, '{"verdict":"deny"}'],
    [{ context: 7 }, '{"context":7}'],
  ])('%j is reported by hook name', (answer, shown) => {
    expect(readAnswer(answer as undefined, makeContext(), 'gate')).toEqual({
      kind: 'failed',
      code: 'BELAY_HOOK_ANSWER',
      what: `hook "gate" returned ${shown}`,
      why: `hook "gate" returned ${shown}; return allow(), deny(reason), ask(), none(), a result object, or nothing (BELAY_HOOK_ANSWER)`,
    })
  })

  test.each<[object, object]>([
    [
      { continue: false, stopReason: 'enough' },
      { verdict: none(), stop: { reason: 'enough' } },
    ],
    [{ continue: false }, { verdict: none(), stop: { reason: 'No reason provided' } }],
    [
      { continue: false, context: 'c' },
      { verdict: none(), context: 'c', stop: { reason: 'No reason provided' } },
    ],
  ])('%j ends the turn', (answer, result) => expect(readAnswer(answer, makeContext(), 'gate')).toEqual({ kind: 'answered', result }))

  test('what is wrong beside the end of the turn is a note', () => {
    const answer = { continue: false, stopReason: 'enough', contxt: 1 }
    expect(readAnswer(answer as object, makeContext(), 'gate')).toMatchObject({
      kind: 'answered',
      result: { verdict: none(), stop: { reason: 'enough' } },
      detail: { notes: [expect.stringContaining('contxt')] },
    })
  })

  test('a throw is a failure, not an exception', () => {
    const thrower = () => {
      throw new Error('boom')
    }
    expect(callInline(thrower, makeContext(), 'gate')).toMatchObject({
      kind: 'failed',
      code: 'BELAY_HOOK_THREW',
      why: expect.stringContaining('hook "gate" threw: boom'),
    })
  })
})

describe('the context', () => {
  test('shows the event', () => {
    const { event, sessionId, cwd, actor, toolName, toolUseId, toolInput, userPrompt, error, messages } = makeContext()
    expect({ event, sessionId, cwd, actor, toolName, toolUseId, toolInput, userPrompt, error, messages }).toEqual({
      event: 'PreToolUse',
      sessionId: 's1',
      cwd: '/repo',
      actor: 'agent:test',
      toolName: 'Bash',
      toolUseId: 'u1',
      toolInput: { command: 'ls' },
      userPrompt: null,
      error: null,
      messages: [],
    })
  })

  test('input set to null means the original one', () => {
    const context = makeContext()
    context.toolInput = null
    context.userPrompt = null
    expect(context.takeRewrite()).toBeNull()
  })

  test('metadata and a list of messages belong to the host', () => {
    const messages = ['a']
    const metadata = new Map()
    const context = new InlineContext(EVENT, { options: { messages, metadata }, parts: { metadata: new Map() } }, 'h')
    context.messages.push('b')
    context.metadata.set('k', 1)
    expect([messages, metadata.get('k')]).toEqual([['a', 'b'], 1])
  })
})

describe('values', () => {
  const cyclic: Record<string, unknown> = { list: [1, { a: null }] }
  cyclic.self = cyclic
  const instance = new Date(0)

  test('a copy is equal, and another object', () => {
    const copy = copyValue(cyclic) as Record<string, unknown>
    expect([isSameValue(copy, cyclic), copy === cyclic, copy.self === copy]).toEqual([true, false, true])
  })

  test.each<[unknown, unknown, boolean]>([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, false],
    [{ a: undefined }, { b: undefined }, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [Number.NaN, Number.NaN, true],
    [instance, instance, true],
    [instance, new Date(0), false],
    [JSON.parse('{"__proto__":1}'), {}, false],
  ])('%j and %j: %s', (first, second, same) => {
    expect(isSameValue(first, second)).toBe(same)
  })

  test('__proto__ is copied as a key', () => {
    expect(JSON.stringify(copyValue(JSON.parse('{"__proto__":{"x":1}}')))).toBe('{"__proto__":{"x":1}}')
  })
})
