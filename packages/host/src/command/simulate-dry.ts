// What a simulation runs: what decides by itself really decides; what would touch the world is replaced by nothing, and keeps its name.
import type { BuiltinPorts, HookDefinition } from '@belay/core'
import type { GenesisPolicy } from '@belay/core/policy'

export interface DryRun {
  readonly policies: readonly GenesisPolicy[]
  readonly hooks: readonly HookDefinition[]
  readonly ports: BuiltinPorts
}

export function dryRun(policies: readonly GenesisPolicy[], hooks: readonly HookDefinition[], isReal: boolean): DryRun {
  if (isReal) return { policies, hooks, ports: PORTS }
  return { policies: policies.map(policy => ({ ...policy, hooks: policy.hooks.map(drain) })), hooks: hooks.map(drain), ports: PORTS }
}

/** The type of a hook that was not run. */
export function drainedType({ handler }: HookDefinition): string | null {
  return handler.type === 'inline' && handler.run instanceof Drained ? handler.run.name : null
}

/** Records of a simulation go nowhere, and nobody is asked. */
const PORTS: BuiltinPorts = {
  evidence: { capture: async () => ({ id: 'simulated' }) },
  annotator: { annotate: async () => ({ id: 'simulated' }) },
  approvals: { ask: async () => ({ state: 'pending', id: 'simulated', isNew: true }) },
}
