import type { HookEvent } from '@belay/core'
import { expect, test } from 'vitest'
import { createGuardRules, readGuardRules } from './guard-rule.ts'
import { type EffortRow, newAgent, type SessionRow } from './work-row.ts'
import type { WorkView } from './work-view.ts'

const event = (command: string): HookEvent => ({
  name: 'PreToolUse',
  sessionId: 's',
  cwd: '/repo',
  transcriptPath: null,
  permissionMode: null,
  actor: 'agent:x',
  agent: 'claude-code',
  commitment: null,
  env: {},
  fields: { toolName: 'Bash', toolInput: { command } },
})

function view(effort: Partial<EffortRow> | null, session: Partial<SessionRow> = {}): WorkView {
  return {
    call: { event: event(''), agentId: 'a', isNamed: true, root: '/repo', env: {}, deliveryId: null },
    agent: newAgent('a', 0),
    session: { heartbeat: 0, interval: 10, contextUsage: null, ...session } as SessionRow,
    effort: effort === null ? null : ({ id: 1, phase: 'plan', metadata: {}, ...effort } as EffortRow),
    exempt: null,
    fired: [],
    isRepeat: false,
    facts: {},
  }
}

function guard(fields: object) {
  const read = readGuardRules([{ id: 'g', text: 'no', urgency: 'block', ...fields }])
  if (!read.ok || read.guards[0] === undefined) throw new Error('not a guard')
  return read.guards[0]
}

const runner = createGuardRules({
  stateOf: () => ({ effort: { phase: 'plan' }, session: { heartbeat: 4 } }),
  rows: { changed: () => undefined },
  belayHome: '/home/u/.belay',
  userHome: '/home/u',
  command: 'belay',
})

test.each<[string, object, WorkView, string, boolean]>([
  ['a condition that holds', { trigger: { type: 'phase', condition: 'effort.phase == "plan"' } }, view({}), 'ls', true],
  ['a condition that does not', { trigger: { type: 'phase', condition: 'effort.phase == "ship"' } }, view({}), 'ls', false],
  ['a condition that fails closes', { trigger: { type: 'phase', condition: 'event.input.nothing == 1' } }, view({}), 'ls', true],
  ['no effort, no guard', { trigger: { type: 'phase' } }, view(null), 'ls', false],
  ['a guard for those without an effort', { trigger: { type: 'noEffort' } }, view(null), 'ls', true],
  ['which is silent where there is one', { trigger: { type: 'noEffort' } }, view({}), 'ls', false],
  ['the heartbeat below its interval', { trigger: { type: 'heartbeat' } }, view({}, { heartbeat: 9 }), 'ls', false],
  ['the heartbeat at its interval', { trigger: { type: 'heartbeat' } }, view({}, { heartbeat: 10 }), 'ls', true],
  ['a full window', { trigger: { type: 'contextThreshold' } }, view({}, { contextUsage: 0.9 }), 'ls', true],
  ['a window of unknown fill', { trigger: { type: 'contextThreshold' } }, view({}), 'ls', false],
  ['a tool that matches', { trigger: { type: 'toolPattern', condition: 'Bash(rm *)' } }, view({}), 'ls; rm x', true],
  ['the way out', { trigger: { type: 'lifecycle' }, whitelist: ['Bash(belay dehydrate *)'] }, view({}), 'belay dehydrate x', false],
  [
    'the way out with company',
    { trigger: { type: 'lifecycle' }, whitelist: ['Bash(belay dehydrate *)'] },
    view({}),
    'belay dehydrate x; rm y',
    true,
  ],
])('%s', (_title, fields, seen, command, isFired) => {
  const answer = runner.one(guard(fields), seen, event(command))
  expect([seen.fired, answer === undefined]).toEqual([isFired ? ['g'] : [], !isFired])
  if (isFired) expect(answer).toEqual({ verdict: { decision: 'deny', reason: 'no' } })
})

test('the guards of an effort: highest priority first, all of them', () => {
  const guards = [
    { id: 'low', text: 'low', urgency: 'warn', trigger: { type: 'lifecycle' } },
    { id: 'high', text: 'high', urgency: 'block', priority: 9, trigger: { type: 'lifecycle' } },
    { id: 'once', text: 'said', urgency: 'inject', inject: 'once', trigger: { type: 'lifecycle' } },
  ]
  const seen = view({ metadata: { guards } })
  expect(runner.ofEffort(seen, event('ls'))).toEqual({ verdict: { decision: 'deny', reason: 'high' }, context: 'Warning (low): low\nsaid' })
  expect(seen.fired).toEqual(['high', 'low', 'once'])
  expect(runner.ofEffort(seen, event('ls'))).toEqual({ verdict: { decision: 'deny', reason: 'high' }, context: 'Warning (low): low' })
})

test('without an effort a guard that speaks once speaks once a session', () => {
  const once = guard({ urgency: 'warn', inject: 'once', trigger: { type: 'noEffort' } })
  const say = (sessionId: string) => {
    const seen = view(null)
    const call = { ...seen.call, event: { ...seen.call.event, sessionId } }
    return runner.one(once, { ...seen, call }, event('ls'))
  }
  expect([say('a'), say('a'), say('b')]).toEqual([{ context: 'Warning (g): no' }, undefined, { context: 'Warning (g): no' }])
})

test.each([
  ['nothing', undefined, true],
  ['no text', [{ id: 'x', trigger: { type: 'phase' } }], false],
  ['a trigger nobody knows', [{ id: 'x', text: 't', trigger: { type: 'moon' } }], false],
  ['a condition that does not parse', [{ id: 'x', text: 't', trigger: { type: 'phase', condition: '1 +' } }], false],
])('guards are checked when they come: %s', (_title, guards, isGood) => {
  expect(readGuardRules(guards).ok).toBe(isGood)
})
