// What a simulation runs: what decides by itself really decides; what would touch the world is replaced by nothing, and keeps its name.
import type { BuiltinPorts, Handler, HookDefinition } from '@belay/core'
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

/** What stands behind a hook that was replaced; null: the hook is real. */
export function drainedHandler({ handler }: HookDefinition): Handler | null {
  return handler.type === 'inline' ? (DRAINED.get(handler.run) ?? null) : null
}

const DRAINED = new WeakMap<object, Handler>()

function drain(hook: HookDefinition): HookDefinition {
  const { handler } = hook
  // final_validation runs the project's own scripts.
  if (handler.type === 'builtin' && handler.builtin !== 'final_validation') return hook
  const run = (): undefined => undefined
  DRAINED.set(run, handler)
  return { ...hook, name: hook.name ?? nameOf(handler), handler: { type: 'inline', run } }
}

function nameOf(handler: Handler): string {
  switch (handler.type) {
    case 'command':
      return handler.command
    case 'http':
      return handler.url
    case 'builtin':
      return handler.builtin
    default:
      return handler.type
  }
}

/** Records of a simulation go nowhere, and nobody is asked. */
const PORTS: BuiltinPorts = {
  evidence: { capture: async () => ({ id: 'simulated' }) },
  annotator: { annotate: async () => ({ id: 'simulated' }) },
  approvals: { ask: async () => ({ state: 'pending', id: 'simulated', isNew: true }) },
}
