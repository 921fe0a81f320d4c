// Runs a hook that is part of Belay. A config that was never checked by a loader is checked here: a gate must not run on half of it.

import type { BuiltinHandler, BuiltinName, HookDefinition } from '../../hook/hook-definition.ts'
import type { HookEvent } from '../../hook/hook-event.ts'
import type { HandlerRun } from '../../hook/hook-result.ts'
import type { ConfigProblem } from '../../value/config-problem.ts'
import { errorText } from '../../value/error-text.ts'
import { describeHook } from '../describe-hook.ts'
import { failed } from '../failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { endsOf } from '../limit.ts'
import { withinLimit } from '../within-limit.ts'
import { approvalGateBuiltin } from './approval-gate.ts'
import type { Builtin } from './builtin.ts'
import { checkConfig } from './config-schema.ts'
import { denyBuiltin } from './deny.ts'
import { evidenceCaptureBuiltin } from './evidence-capture.ts'
import { finalValidationBuiltin } from './final-validation.ts'
import { formatOutputBuiltin } from './format-output.ts'
import { genesisEnforcementBuiltin } from './genesis-enforcement.ts'
import { inputSanitizationBuiltin } from './input-sanitization.ts'
import { ledgerAnnotationBuiltin } from './ledger-annotation.ts'
import { modifyBuiltin } from './modify.ts'
import { resourceCheckBuiltin } from './resource-check.ts'

const BUILTINS: Readonly<Record<BuiltinName, Builtin>> = {
  genesis_enforcement: genesisEnforcementBuiltin,
  evidence_capture: evidenceCaptureBuiltin,
  approval_gate: approvalGateBuiltin,
  deny: denyBuiltin,
  modify: modifyBuiltin,
  resource_check: resourceCheckBuiltin,
  input_sanitization: inputSanitizationBuiltin,
  ledger_annotation: ledgerAnnotationBuiltin,
  format_output: formatOutputBuiltin,
  final_validation: finalValidationBuiltin,
}

export type BuiltinHook = HookDefinition & { readonly handler: BuiltinHandler }

/** Everything that is wrong with the config of a built-in hook; the loader adds the place. */
export function validateBuiltinConfig(name: BuiltinName, config: Readonly<Record<string, unknown>>): ConfigProblem[] {
  const builtin = BUILTINS[name]
  const problems = checkConfig(config, builtin.schema)
  return problems.length > 0 ? problems : (builtin.check?.(config) ?? [])
}

export async function runBuiltin(hook: BuiltinHook, event: HookEvent, options: HandlerOptions): Promise<HandlerRun> {
  const { builtin, config } = hook.handler
  const problems = validateBuiltinConfig(builtin, config)
  if (problems.length > 0) {
    return failed('BELAY_HANDLER_BAD_CONFIG', `${describeHook(hook)}: ${problems.map(problem => problem.message).join('; ')}`)
  }
  return withinLimit(endsOf(hook, options), async () => {
    try {
      return await BUILTINS[builtin].run({ hook, event, config, ports: options.ports ?? {} })
    } catch (error) {
      return failed('BELAY_HANDLER_PORT_FAILED', `${describeHook(hook)}: ${errorText(error)}`)
    }
  })
}
