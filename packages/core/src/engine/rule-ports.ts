// What hooks and guardrails ask of policy, wherever they run: `Tool(spec)` matchers are judged like permission patterns, conditions are CEL.
import type { HookEvent } from '../hook/hook-event.ts'
import { compileCallPattern } from '../policy/call-matches.ts'
import { callOfEvent } from '../policy/call-of-event.ts'
import { createConditionPort, type StateOf } from '../policy/condition/condition-port.ts'
import type { HookPorts } from '../registry/registered-hook.ts'
import { none, type Verdict } from '../verdict/verdict.ts'
import type { JudgeCall } from './guard-call.ts'
import type { ContextOf } from './rule-judge.ts'

export function createRulePorts(contextOf: ContextOf, stateOf?: StateOf): Required<HookPorts> {
  return {
    compileCall(pattern) {
      const compiled = compileCallPattern(pattern)
      if (!compiled.ok) return { ok: false, message: compiled.problem.message }
      return { ok: true, test: ({ event }) => matches(compiled, event) }
    },
    evaluateCondition: createConditionPort(stateOf),
  }

  function matches(compiled: Extract<ReturnType<typeof compileCallPattern>, { ok: true }>, event: HookEvent): boolean {
    const call = callOfEvent(event)
    return call !== null && compiled.match(call, contextOf(event)) !== 'no'
  }
}

/** Whether the call of an event matches a pattern; each pattern is compiled once. One that does not parse matches nothing. */
export function createCallMatcher({ compileCall }: Required<HookPorts>): (pattern: string, event: HookEvent) => boolean {
  const compiled = new Map<string, ReturnType<typeof compileCall>>()
  return (pattern, event) => {
    const known = compiled.get(pattern) ?? compileCall(pattern)
    compiled.set(pattern, known)
    return known.ok && known.test({ value: callOfEvent(event)?.tool ?? null, event })
  }
}

/** What the rules say to the call of an event; where it names no tool, nothing. */
export function judgeEventBy(judge: JudgeCall): (event: HookEvent) => Verdict {
  return event => {
    const call = callOfEvent(event)
    return call === null ? none() : judge(call, event).verdict
  }
}
