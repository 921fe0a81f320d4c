// Guard rules, of the policy and of the effort: a trigger, a condition, what to say, and the way out that stays open.
// Invariant: a condition that cannot be decided closes a guard that blocks.
import { deny, type HookEvent, type InlineAnswer } from '@belay/core'
import { compileCallPattern, createConditionPort, type Guard, parseGenesis, type StateOf } from '@belay/core/policy'
import { BoundedMap } from '@belay/core/value'
import { judgeContext } from '../config/genesis-context.ts'
import { isCovered } from './engine-verb.ts'
import type { WorkRows } from './work-rows.ts'
import { toolOf, type WorkView } from './work-view.ts'

export interface GuardRuleOptions {
  readonly stateOf: StateOf
  readonly rows: Pick<WorkRows, 'changed'>
  readonly belayHome: string
  readonly userHome: string
  /** How the agent calls Belay in its shell. */
  readonly command: string
}

export interface GuardRules {
  one(guard: Guard, view: WorkView, event: HookEvent): InlineAnswer
  /** The effort's own guards, highest priority first, folded into one answer. */
  ofEffort(view: WorkView, event: HookEvent): InlineAnswer
}

/** Sessions without an effort that have heard a guard. */
const MAX_TOLD = 10_000

export function createGuardRules(options: GuardRuleOptions): GuardRules {
  const evaluate = createConditionPort(options.stateOf)
  const kept = new WeakMap<object, readonly Guard[]>()
  const toldWithout = new BoundedMap<string, true>(MAX_TOLD)

  function one(guard: Guard, view: WorkView, event: HookEvent): { readonly deny: string } | { readonly context: string } | null {
    if ((view.effort === null) !== (guard.trigger.type === 'noEffort')) return null
    if (!isTriggered(guard, view, event, { ...options, evaluate })) return null
    const place = { root: view.call.root, cwd: event.cwd, belayHome: options.belayHome, userHome: options.userHome }
    if (guard.urgency === 'block') {
      if (guard.whitelist.length > 0 && isCovered(guard.whitelist, toolOf(event), place)) return null
      view.fired.push(guard.id)
      return { deny: guard.text }
    }
    if (guard.inject === 'once' && !noteOnce(guard, view)) return null
    view.fired.push(guard.id)
    return { context: guard.urgency === 'warn' ? `Warning (${guard.id}): ${guard.text}` : guard.text }
  }

  /** Once an effort; where there is none, once a session. */
  function noteOnce({ id }: Guard, { effort, call }: WorkView): boolean {
    if (effort === null) {
      const key = `${call.agentId} ${call.event.sessionId} ${id}`
      if (toldWithout.has(key)) return false
      toldWithout.set(key, true)
      return true
    }
    const said = Array.isArray(effort.metadata.saidOnce) ? effort.metadata.saidOnce : []
    if (said.includes(id)) return false
    effort.metadata = { ...effort.metadata, saidOnce: [...said, id] }
    options.rows.changed(effort)
    return true
  }

  function guardsOf(metadata: Readonly<Record<string, unknown>>): readonly Guard[] {
    const known = kept.get(metadata)
    if (known !== undefined) return known
    const read = readGuardRules(metadata.guards)
    const guards = read.ok ? [...read.guards].sort((a, b) => b.priority - a.priority) : []
    kept.set(metadata, guards)
    return guards
  }

  return {
    one: (guard, view, event) => answerOf([one(guard, view, event)]),
    ofEffort: (view, event) =>
      view.effort === null ? undefined : answerOf(guardsOf(view.effort.metadata).map(guard => one(guard, view, event))),
  }
}

function answerOf(said: readonly ({ readonly deny: string } | { readonly context: string } | null)[]): InlineAnswer {
  const denials = said.flatMap(each => (each !== null && 'deny' in each ? [each.deny] : []))
  const texts = said.flatMap(each => (each !== null && 'context' in each ? [each.context] : []))
  if (denials.length === 0 && texts.length === 0) return undefined
  return {
    ...(denials.length === 0 ? {} : { verdict: deny(denials.join('\n')) }),
    ...(texts.length === 0 ? {} : { context: texts.join('\n') }),
  }
}

type Evaluate = ReturnType<typeof createConditionPort>

function isTriggered({ trigger }: Guard, view: WorkView, event: HookEvent, options: GuardRuleOptions & { evaluate: Evaluate }): boolean {
  if (trigger.type === 'toolPattern') return trigger.condition === null || matchesCall(trigger.condition, view, event, options)
  if (trigger.condition !== null) {
    const result = options.evaluate(trigger.condition, event)
    return result.ok ? result.value : true
  }
  switch (trigger.type) {
    case 'heartbeat':
      return view.session !== null && view.session.heartbeat >= view.session.interval
    case 'contextThreshold':
      return (view.session?.contextUsage ?? 0) >= 0.9
    default:
      return true
  }
}

function matchesCall(pattern: string, { call }: WorkView, event: HookEvent, { belayHome, userHome }: GuardRuleOptions): boolean {
  const compiled = compileCallPattern(pattern)
  if (!compiled.ok) return true
  const place = judgeContext({ root: call.root, cwd: event.cwd, belayHome, env: { HOME: userHome }, hasPolicy: false })
  return compiled.match(toolOf(event), place) !== 'no'
}

/** Whether it has not been said to this effort before. */
export type ReadGuardRules = { readonly ok: true; readonly guards: readonly Guard[] } | { readonly ok: false; readonly problem: string }

/** JSON is YAML: an effort's guards are read and checked as those of a policy are. */
export function readGuardRules(guards: unknown): ReadGuardRules {
  if (guards === undefined || guards === null) return { ok: true, guards: [] }
  const parsed = parseGenesis(JSON.stringify({ version: '2.0', guards }), 'the guards of the effort')
  if (parsed.ok) return { ok: true, guards: parsed.policy.guards }
  return { ok: false, problem: parsed.errors.map(error => error.message).join('; ') }
}
