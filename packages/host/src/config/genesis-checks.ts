// What parsing a policy needs to know of the handlers, which the policy itself may not import.
import { validateBuiltinConfig } from '@belay/core'
import type { GenesisChecks } from '@belay/core/policy'

export const genesisChecks: GenesisChecks = { checkBuiltin: validateBuiltinConfig }
