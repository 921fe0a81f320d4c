// The guardrails that policies switch on, as hooks of policy scope. Of several files that set the same one the first holds (system, user,
// project), so that a project cannot switch off what is set above it; an untrusted file may only switch on what runs and removes nothing.
import {
  createGuardrails,
  findGuardrail,
  type GuardrailMode,
  type GuardrailPorts,
  type HookDefinition,
  modeOf,
  type Place,
} from '@belay/core'
import type { GenesisPolicy, GuardrailSetting } from '@belay/core/policy'

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

export function guardrailHooks(policies: readonly GenesisPolicy[], ports: GuardrailPorts): readonly HookDefinition[] {
  const active = listGuardrails(policies).filter(({ inert, mode }) => inert === null && mode !== 'off')
  const shared = active.find(({ setting }) => setting.name === 'schema_guard')?.setting
  return active.flatMap(({ setting }) => {
    const settings = {
      ...(shared === undefined ? {} : { schema_guard: { ...shared.config, mode: 'off' } }),
      [setting.name]: setting.config,
    }
    return createOrFail(setting, () => createGuardrails(settings, ports, { scope: 'policy', place: setting.place }))
  })
}

/** A guardrail that cannot work here counts as a hook that failed, not as one that is not there. */
function createOrFail({ name, place }: GuardrailSetting, create: () => readonly HookDefinition[]): readonly HookDefinition[] {
  try {
    return create()
  } catch (error) {
    const events = findGuardrail(name)?.events ?? []
    return events.map(event => failingHook(name, event, place, error instanceof Error ? error.message : String(error)))
  }
}

function failingHook(name: string, event: string, place: Place, why: string): HookDefinition {
  const run = () => {
    throw new Error(why)
  }
  return { name, event, place, scope: 'policy', handler: { type: 'inline', run }, ...(event === 'PreToolUse' ? {} : { fail: 'open' }) }
}
