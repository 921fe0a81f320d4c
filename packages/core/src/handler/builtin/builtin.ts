// What a built-in hook is: the shape of its config and one function. It never throws; what its host lacks is a coded failure.
import type { HookDefinition } from '../../hook/hook-definition.ts'
import type { HookEvent } from '../../hook/hook-event.ts'
import type { HandlerRun, HookResult, RunDetail } from '../../hook/hook-result.ts'
import type { ConfigProblem } from '../../value/config-problem.ts'
import { describeHook } from '../describe-hook.ts'
import { failed } from '../failure.ts'
import type { ConfigSchema } from './config-schema.ts'
import type { Config } from './config-value.ts'
import type { BuiltinPorts } from './ports.ts'

export interface BuiltinCall {
  readonly hook: HookDefinition
  readonly event: HookEvent
  /** Already checked against the schema. */
  readonly config: Config
  readonly ports: BuiltinPorts
}

export interface Builtin {
  readonly schema: ConfigSchema
  /** What the types of single keys cannot say. */
  check?(config: Config): ConfigProblem[]
  run(call: BuiltinCall): HandlerRun | Promise<HandlerRun>
}

export function answered(result: HookResult, detail?: RunDetail): HandlerRun {
  return detail === undefined ? { kind: 'answered', result } : { kind: 'answered', result, detail }
}

export function noPort(call: BuiltinCall, port: string): HandlerRun {
  return failed('BELAY_HANDLER_NO_PORT', `${describeHook(call.hook)} needs ${port}, which this host does not have`)
}

export function notApplicable(call: BuiltinCall, why: string): HandlerRun {
  return failed('BELAY_HANDLER_NOT_APPLICABLE', `${describeHook(call.hook)}: ${why}`)
}
