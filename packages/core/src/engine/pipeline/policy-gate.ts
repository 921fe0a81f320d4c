// The gate of a pipeline that decides in its own process: hooks in code, and the hooks, guardrails and permissions of policies.
// Invariant: what a policy asks for and this process cannot do is an error when the gate is made, never a gate that stands open.

import type { GuardrailPorts } from '../../guardrail/guardrail-ports.ts'
import { createMemoryCallLog } from '../../guardrail/memory-call-log.ts'
import { createMemoryPort } from '../../guardrail/session-memory.ts'
import type { BuiltinPorts } from '../../handler/builtin/ports.ts'
import type { LlmProvider } from '../../handler/llm.ts'
import { BelayError } from '../../hook/errors.ts'
import type { GenesisPolicy } from '../../policy/genesis/genesis-policy.ts'
import { activePolicyHooks } from '../../policy/genesis/policy-hooks.ts'
import { formatPlace } from '../../verdict/place.ts'
import { createHooks, type Hooks } from '../create-hooks.ts'
import type { HandlerParts } from '../engine-parts.ts'
import type { JudgeCall } from '../guard-call.ts'
import { checkBuiltins, createLibraryBuiltins } from '../library-builtins.ts'
import { createLibraryPorts } from '../library-ports.ts'
import type { FilledCaller } from '../make-event.ts'
import { createCallMatcher, judgeEventBy } from '../rule-ports.ts'
import { createGate, type Gate } from './gate.ts'
import { guardrailHooks } from './policy-guardrails.ts'
import { createPolicyJudge } from './policy-judge.ts'

export interface PolicyGateOptions {
  /** Hooks in code. Default: none but those of the policies. */
  readonly hooks?: Hooks
  /** What parseGenesis made of genesis.key files: their hooks, guardrails and permissions hold. */
  readonly policies?: readonly GenesisPolicy[]
  /** What their guardrails may use beyond what every process has: files, a log of calls, skills, a JSON Schema validator. */
  readonly guardrails?: Partial<GuardrailPorts>
  /** Who is asked by prompt and agent hooks (`createLlmProvider`). */
  readonly llm?: LlmProvider
  /** What their built-in hooks may use beyond what every process has. Default: what `record` brings along. */
  readonly builtins?: BuiltinPorts
}

export function createPolicyGate({ hooks, policies = [], llm, guardrails, builtins }: PolicyGateOptions, caller: FilledCaller): Gate {
  const judge = policies.length === 0 ? null : createPolicyJudge(policies, caller.cwd)
  const { engine } = hooks ?? createHooks({}, caller)
  const own = activePolicyHooks(policies)
  const ports = judge === null ? null : { ...createLibraryBuiltins(), ...builtins, judgeEvent: judgeEventBy(judge) }
  if (ports !== null) checkBuiltins(own, ports)
  engine.registry.addAll([...own, ...guardrailsOf(policies, caller.cwd, judge, guardrails)])
  return createGate(engine, judge, handlerParts(ports, llm))
}

/** Built-in hooks of a policy may also ask its permissions. */
function handlerParts(ports: BuiltinPorts | null, llm: LlmProvider | undefined): HandlerParts | null {
  if (ports === null && llm === undefined) return null
  return { ...(llm === undefined ? {} : { llm }), ...(ports === null ? {} : { ports }) }
}

/** What guardrails can have in any process; one that needs more says so at once, and who can give it. */
function guardrailsOf(policies: readonly GenesisPolicy[], cwd: string, judge: JudgeCall | null, given: Partial<GuardrailPorts> = {}) {
  const ports: GuardrailPorts = {
    now: Date.now,
    rootOf: () => cwd,
    memory: createMemoryPort(),
    toolCalls: createMemoryCallLog(Date.now),
    matchesCall: createCallMatcher(createLibraryPorts(cwd)),
    ...(judge === null ? {} : { judge: event => judgeEventBy(judge)(event).decision }),
    ...given,
  }
  return guardrailHooks(policies, ports, ({ name, place }, why) => {
    throw new BelayError('BELAY_HOOK_GUARDRAIL', `${formatPlace(place)}: guardrail ${name}: ${why}`)
  })
}
