// The guardrails of policies on this machine. One that cannot work here counts as a hook that failed, not as one that is not there.
import { findGuardrail, type GuardrailPorts, guardrailHooks, type HookDefinition } from '@belay/core'
import type { GenesisPolicy, GuardrailSetting } from '@belay/core/policy'

export function policyGuardrails(policies: readonly GenesisPolicy[], ports: GuardrailPorts): readonly HookDefinition[] {
  return guardrailHooks(policies, ports, failing)
}

function failing({ name, place }: GuardrailSetting, why: string): readonly HookDefinition[] {
  const run = () => {
    throw new Error(why)
  }
  return (findGuardrail(name)?.events ?? []).map(event => ({
    name,
    event,
    place,
    scope: 'policy',
    handler: { type: 'inline', run },
    ...(event === 'PreToolUse' ? {} : { fail: 'open' }),
  }))
}
