// The order in which the hooks of one event run, worked out once and kept until a hook comes or goes.
// A plan is a list of batches: the hooks of a batch run at once, batches one after another. A sequence is a row of batches of one.
import type { EventSpec } from '../event/event-spec.ts'
import type { Scope } from '../hook/hook-definition.ts'
import { identifyHook } from '../hook/hook-identity.ts'
import type { RegisteredHook } from './registered-hook.ts'

export interface HookSettings {
  /** Stops every hook but those of policy scope. */
  readonly disableAllHooks?: boolean
  /** Leaves policy scope only. */
  readonly allowManagedHooksOnly?: boolean
  /** Who may rewrite; default any. */
  readonly modifyFrom?: 'any' | 'policy'
}

export type Batch = readonly RegisteredHook[]

export type LeftOutReason = 'disabled' | 'managed-only' | 'duplicate'

export interface Plan {
  /** Null: an event nobody knows. */
  readonly spec: EventSpec | null
  /** Who may rewrite. */
  readonly modifyFrom: 'any' | 'policy'
  readonly batches: readonly Batch[]
  /** Hooks that this plan never runs, and why. */
  readonly leftOut: readonly { readonly hook: RegisteredHook; readonly why: LeftOutReason }[]
}

const SCOPES: readonly Scope[] = ['policy', 'plugin', 'session', 'skill']

export function buildPlan(spec: EventSpec | null, hooks: readonly RegisteredHook[], settings: HookSettings): Plan {
  const batches: RegisteredHook[][] = []
  const leftOut: { hook: RegisteredHook; why: LeftOutReason }[] = []
  for (const scope of SCOPES) {
    const seen = new Set<string>()
    let group: RegisteredHook[] | null = null
    for (const hook of hooks) {
      if (hook.scope !== scope) continue
      const why = leaveOut(hook, settings, seen)
      if (why !== null) leftOut.push({ hook, why })
      else if (group !== null && hook.definition.order === 'group') group.push(hook)
      else {
        const batch = [hook]
        batches.push(batch)
        group = hook.definition.order === 'group' ? batch : null
      }
    }
  }
  return { spec, modifyFrom: settings.modifyFrom ?? 'any', batches, leftOut }
}

function leaveOut(hook: RegisteredHook, settings: HookSettings, seen: Set<string>): LeftOutReason | null {
  if (hook.scope !== 'policy' && settings.disableAllHooks) return 'disabled'
  if (hook.scope !== 'policy' && settings.allowManagedHooksOnly) return 'managed-only'
  const identity = identifyHook(hook.definition)
  if (seen.has(identity)) return 'duplicate'
  seen.add(identity)
  return null
}
