// What the registry asks of policy: whether `Tool(spec)` speaks about a call, and whether a condition holds.
import type { HookEvent } from '../../hook/hook-event.ts'
import { compileCallPattern } from '../call-matches.ts'
import type { ConditionResult } from '../condition/condition.ts'
import { createConditionPort, type StateOf } from '../condition/condition-port.ts'
import type { JudgeContext, ToolCall } from '../judgement.ts'

export interface HookPortsOptions {
  /** Where the call of an event would happen. */
  readonly contextOf: (event: HookEvent) => JudgeContext
  readonly stateOf?: StateOf
}

export interface PolicyPorts {
  readonly compileCall: (pattern: string) => CallTest
  readonly evaluateCondition: (condition: string, event: HookEvent) => ConditionResult
}

type CallTest =
  | { readonly ok: true; readonly test: (subject: { readonly event: HookEvent }) => boolean }
  | { readonly ok: false; readonly message: string; readonly offset: number }

/** A matcher fires when any part of the call may match: a hook that looks once too often is better than one that is asleep. */
export function createHookPorts({ contextOf, stateOf }: HookPortsOptions): PolicyPorts {
  return {
    compileCall(pattern) {
      const compiled = compileCallPattern(pattern)
      if (!compiled.ok) return { ok: false, message: compiled.problem.message, offset: compiled.problem.place.column - 1 }
      return { ok: true, test: ({ event }) => compiled.match(callOf(event), contextOf(event)) !== 'no' }
    },
    evaluateCondition: createConditionPort(stateOf),
  }
}

function callOf({ fields }: HookEvent): ToolCall {
  const { toolName, toolInput } = fields
  return { tool: typeof toolName === 'string' ? toolName : '', input: isRecord(toolInput) ? toolInput : {} }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
