// What parsing a policy needs to know of handlers and guardrails, which the policy itself may not import.
import { checkGuardrail, validateBuiltinConfig } from '@belay/core'
import type { GenesisChecks } from '@belay/core/policy'

export const genesisChecks: GenesisChecks = { checkBuiltin: validateBuiltinConfig, checkGuardrail }
