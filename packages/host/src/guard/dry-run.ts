// What a simulation runs: what decides by itself really decides; what would touch the world is replaced by nothing, and keeps its name.
import type { BuiltinPorts, Handler, HookDefinition } from '@belay/core'
import type { GuardSources } from './load-guard.ts'

export interface DryRun {
  readonly sources: GuardSources
  readonly ports: BuiltinPorts
}

export function dryRun(sources: GuardSources, isReal: boolean): DryRun {
  if (isReal) return { sources, ports: PORTS }
  const { loaded, hooks } = sources
  const policies = loaded.policies.map(policy => ({ ...policy, hooks: policy.hooks.map(drain) }))
  const drained = hooks.map(({ hook, inert }) => ({ hook: drain(hook), inert }))
  return { sources: { ...sources, loaded: { ...loaded, policies }, hooks: drained }, ports: PORTS }
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
