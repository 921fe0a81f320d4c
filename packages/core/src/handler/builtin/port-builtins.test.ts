import { describe, expect, it } from 'vitest'
import type { BuiltinName } from '../../hook/hook-definition.ts'
import type { HookEvent } from '../../hook/hook-event.ts'
import type { HookResult } from '../../hook/hook-result.ts'
import { allow, ask, deny, none } from '../../verdict/verdict.ts'
import { makeEvent } from '../fixtures/make-event.ts'
import { resultOf, runBuiltinHook } from '../fixtures/run-builtin-hook.ts'
import type { Config } from './config-value.ts'
import type { BuiltinPorts } from './ports.ts'
import { runBuiltin } from './run-builtin.ts'

const bash = (command: string) => makeEvent({ fields: { toolName: 'Bash', toolInput: { command, timeout: 5 } } })
const output = (toolResponse: unknown) => makeEvent({ name: 'PostToolUse', fields: { toolName: 'Bash', toolInput: {}, toolResponse } })
const NOTHING = { verdict: none() }

describe('built-ins behind a port', () => {
  const stop = makeEvent({ name: 'Stop', fields: {} })
  const answerWith = (state: object) => ({ approvals: { ask: async () => state } }) as BuiltinPorts

  it.each<[BuiltinName, Config]>([
    ['genesis_enforcement', {}],
    ['evidence_capture', { ledger: true }],
    ['ledger_annotation', { text: 'x' }],
    ['approval_gate', {}],
    ['approval_gate', { condition: 'true' }],
    ['final_validation', {}],
    ['input_sanitization', { redact: true }],
  ])('%s %j without its port', async (builtin, config) => {
    expect(await runBuiltinHook(builtin, config, bash('ls'))).toMatchObject({
      kind: 'failed',
      code: 'BELAY_HANDLER_NO_PORT',
      why: expect.stringContaining('in the daemon'),
    })
  })

  it('a port that fails', async () => {
    const judgeEvent = () => Promise.reject(new Error('store is closed'))
    expect(await runBuiltinHook('genesis_enforcement', {}, bash('ls'), { judgeEvent })).toMatchObject({
      kind: 'failed',
      code: 'BELAY_HANDLER_PORT_FAILED',
      why: expect.stringContaining('store is closed'),
    })
  })

  it('a port that never answers', async () => {
    const hook = {
      event: 'PreToolUse',
      scope: 'policy',
      timeoutMs: 50,
      handler: { type: 'builtin', builtin: 'genesis_enforcement', config: {} },
    } as const
    const judgeEvent = () => new Promise<never>(() => undefined)
    expect(await runBuiltin(hook, bash('ls'), { ports: { judgeEvent } })).toEqual({ kind: 'cancelled', why: 'timeout' })
  })

  it('genesis_enforcement says what the policy says', async () => {
    const judgeEvent = (event: HookEvent) => deny(`${event.actor} may not`)
    expect(await resultOf('genesis_enforcement', {}, bash('ls'), { judgeEvent })).toEqual({
      verdict: deny('agent:test may not'),
      isByRules: true,
    })
  })

  it('evidence_capture records with its kind', async () => {
    const seen: unknown[] = []
    const evidence = { capture: async (item: unknown) => ({ id: `ev_${seen.push(item)}` }) }
    const event = output('done')
    expect(await runBuiltinHook('evidence_capture', { ledger: true, kind: 'command_execution' }, event, { evidence })).toEqual({
      kind: 'answered',
      result: NOTHING,
      detail: { notes: ['recorded as ev_1'] },
    })
    expect(seen).toEqual([{ kind: 'command_execution', event, hook: { name: 'evidence_capture', scope: 'policy', place: null } }])
  })

  it('evidence_capture without the ledger goes with the run', async () => {
    expect(await resultOf('evidence_capture', { kind: 'k' }, bash('ls'))).toEqual({
      verdict: none(),
      evidence: { kind: 'k', data: { event: 'PreToolUse', toolName: 'Bash' } },
    })
  })

  it('ledger_annotation fills in its text', async () => {
    const seen: unknown[] = []
    const annotator = { annotate: async (item: unknown) => ({ id: `an_${seen.push(item)}` }) }
    const event = bash('ls')
    await runBuiltinHook('ledger_annotation', { text: '{{/tool_name}} ran', tags: ['ci'] }, event, { annotator })
    expect(seen).toEqual([{ text: 'Bash ran', tags: ['ci'], event }])
  })

  it.each<[HookEvent, object, HookResult]>([
    [bash('ls'), { state: 'approved', by: 'human:a' }, { verdict: allow('approved by human:a') }],
    [stop, { state: 'approved', by: 'human:a' }, NOTHING],
    [bash('ls'), { state: 'not-needed' }, NOTHING],
    [bash('ls'), { state: 'rejected', by: 'human:a', reason: 'no', isNew: true }, { verdict: deny('rejected by human:a: no') }],
    [
      bash('ls'),
      { state: 'pending', id: 'r1', isNew: true },
      { verdict: ask('human:rashid has to approve this (request r1: belay approvals allow r1)') },
    ],
    [
      stop,
      { state: 'pending', id: 'r1', isNew: true },
      { verdict: deny('human:rashid has to approve this (request r1: belay approvals allow r1)') },
    ],
    [
      stop,
      { state: 'pending', id: 'r1', isNew: false },
      { verdict: none(), message: 'human:rashid has to approve this (request r1: belay approvals allow r1)' },
    ],
  ])('approval_gate on $name, %j', async (event, state, result) => {
    expect(await resultOf('approval_gate', { approvers: ['human:rashid'] }, event, answerWith(state))).toEqual(result)
  })

  it.each([
    [{ ok: true, value: false } as const, 'none'],
    [{ ok: true, value: true } as const, 'ask'],
    [{ ok: false, why: 'no such field' } as const, 'ask'],
  ])('approval_gate with a condition that gives %j', async (outcome, decision) => {
    const ports = { ...answerWith({ state: 'pending', id: 'r1', isNew: true }), evaluateCondition: () => outcome }
    expect((await resultOf('approval_gate', { condition: 'c' }, bash('ls'), ports)).verdict.decision).toBe(decision)
  })

  it('final_validation hands the completion contract over and lists what is missing', async () => {
    const plans: unknown[] = []
    const validator = { validate: async (plan: unknown) => (plans.push(plan) === 1 ? ['src/a.ts is missing', 'npm run build failed'] : []) }
    const config = {
      required_files: ['src/a.ts'],
      checks: { tsc: true, build: true, test: false },
      mentu: { enabled: true, commitments: { mode: 'dynamic', min_count: 1, require_closed: true, require_evidence: true } },
      max_iterations: 50,
    }
    expect(await resultOf('final_validation', config, stop, { validator })).toEqual({
      verdict: deny('Not finished yet:\n- src/a.ts is missing\n- npm run build failed'),
    })
    expect(await resultOf('final_validation', config, stop, { validator })).toEqual(NOTHING)
    expect(plans[0]).toEqual({
      requiredFiles: ['src/a.ts'],
      checks: ['tsc', 'build'],
      commands: [],
      commitments: { minCount: 1, requireClosed: true, requireEvidence: true },
      maxIterations: 50,
      alsoWrong: [],
      event: stop,
    })
  })

  it('final_validation leaves commitments out where they are switched off', async () => {
    const plans: { commitments: unknown }[] = []
    const validator = {
      validate: async (plan: { commitments: unknown }) => {
        plans.push(plan)
        return []
      },
    }
    await runBuiltinHook('final_validation', { mentu: { enabled: false, commitments: { min_count: 1 } } }, stop, { validator })
    expect(plans.map(plan => plan.commitments)).toEqual([null])
  })
})
