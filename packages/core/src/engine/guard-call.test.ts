import { expect, test } from 'vitest'
import type { HookContext, InlineAnswer } from '../hook/hook-context.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import type { Judgement, ToolCall } from '../policy/judgement.ts'
import { allow, ask, deny, none, type Verdict } from '../verdict/verdict.ts'
import { createEngine } from './engine.ts'
import { guardCall } from './guard-call.ts'

function event(name: string, fields: Record<string, unknown>): HookEvent {
  return {
    name,
    sessionId: 's',
    cwd: '/',
    transcriptPath: null,
    permissionMode: null,
    actor: 'agent:x',
    agent: 'x',
    commitment: null,
    fields,
    env: {},
  }
}

const judged = (verdict: Verdict): Judgement => ({ verdict, rule: null, decidedBy: null, parts: [], parser: null, policyHash: 'h' })

async function guard(hook: (context: HookContext) => InlineAnswer, rules: Verdict, name = 'PreToolUse') {
  const engine = createEngine()
  engine.registry.add({ event: name, scope: 'policy', handler: { type: 'inline', run: hook } })
  const calls: ToolCall[] = []
  const result = await guardCall(engine.fire, event(name, { toolName: 'Bash', toolInput: { command: 'x' } }), call => {
    calls.push(call)
    return judged(rules)
  })
  return { verdict: result.verdict, calls }
}

const cases: readonly [title: string, hook: Verdict, rules: Verdict, verdict: Verdict][] = [
  ['a rule denies what a hook allows', allow(), deny('rule'), deny('rule')],
  ['a hook asks about what a rule allows', ask('hook'), allow(), ask('hook')],
  ['a hook allows what no rule covers', allow('hook'), ask('no rule', 'default'), allow('hook')],
  ['a hook cannot allow what a rule asks about', allow(), ask('rule', 'rule'), ask('rule', 'rule')],
  ['nobody has an opinion', none(), none(), none()],
]

test.each(cases)('%s', async (_title, hook, rules, verdict) => {
  expect((await guard(() => hook, rules)).verdict).toEqual(verdict)
})

test('rules judge the input as the hooks left it', async () => {
  const { calls } = await guard(context => {
    if (context.toolInput !== null) context.toolInput = { command: 'y' }
    return none()
  }, allow())
  expect(calls).toEqual([{ tool: 'Bash', input: { command: 'y' } }])
})

test('what a hook denied is not judged again', async () => {
  expect(await guard(() => deny('hook'), allow())).toEqual({ verdict: deny('hook'), calls: [] })
})

test('an event that asks for nothing is not judged', async () => {
  expect(await guard(() => none(), deny('rule'), 'PostToolUse')).toEqual({ verdict: none(), calls: [] })
})
