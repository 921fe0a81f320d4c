// The guardrails that policies switch on, as hooks of policy scope. Of several files that set the same one the first holds (system, user,
// project), so that a project cannot switch off what is set above it; an untrusted file may only switch on what runs and removes nothing.

import { createGuardrails, findGuardrail, modeOf } from '../../guardrail/create-guardrails.ts'
import type { GuardrailMode } from '../../guardrail/guardrail.ts'
import type { GuardrailPorts } from '../../guardrail/guardrail-ports.ts'
import type { HookDefinition } from '../../hook/hook-definition.ts'
import type { GenesisPolicy, GuardrailSetting } from '../../policy/genesis/genesis-policy.ts'
import { errorText } from '../../value/error-text.ts'

export interface ActiveGuardrail {
  readonly setting: GuardrailSetting
  readonly mode: GuardrailMode
  /** Why it does nothing; null: it works. */
  readonly inert: string | null
}

export function listGuardrails(policies: readonly GenesisPolicy[]): readonly ActiveGuardrail[] {
  const seen = new Set<string>()
  return policies.flatMap(policy =>
    policy.guardrails.flatMap(setting => {
      if (seen.has(setting.name)) return []
      seen.add(setting.name)
      return [{ setting, mode: modeOf(setting.config), inert: inertReason(policy, setting) }]
    }),
  )
}

function inertReason({ trusted, file }: GenesisPolicy, { name }: GuardrailSetting): string | null {
  if (trusted || findGuardrail(name)?.isHarmless === true) return null
  return `${file} is not trusted: ${name} does nothing until \`belay policy trust\``
}

/** What stands in for a guardrail that cannot work here; it may throw. */
export type InPlaceOf = (setting: GuardrailSetting, why: string) => readonly HookDefinition[]

export function guardrailHooks(policies: readonly GenesisPolicy[], ports: GuardrailPorts, inPlaceOf: InPlaceOf): readonly HookDefinition[] {
  const active = listGuardrails(policies).filter(({ inert, mode }) => inert === null && mode !== 'off')
  const shared = active.find(({ setting }) => setting.name === 'schema_guard')?.setting
  return active.flatMap(({ setting }) => {
    const settings = {
      ...(shared === undefined ? {} : { schema_guard: { ...shared.config, mode: 'off' } }),
      [setting.name]: setting.config,
    }
    try {
      return createGuardrails(settings, ports, { scope: 'policy', place: setting.place })
    } catch (error) {
      return inPlaceOf(setting, errorText(error))
    }
  })
}
