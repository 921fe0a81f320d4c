// Holds the hooks. Adding gives back its undo, so that a session, a skill or a file that ends takes its hooks with it.

import { findEvent } from '../event/table.ts'
import type { HookDefinition } from '../hook/hook-definition.ts'
import { identifyHook } from '../hook/hook-identity.ts'
import { BoundedMap } from '../value/bounded-map.ts'
import { buildPlan, type HookSettings, type Plan } from './plan.ts'
import { compileHook, type HookPorts, type RegisteredHook } from './registered-hook.ts'

/** Takes back what was added; calling it twice does nothing more. */
export type Undo = () => void

export interface Registry {
  readonly ports: HookPorts
  readonly settings: HookSettings
  add(definition: HookDefinition): Undo
  /** All or none: a definition that cannot work leaves nothing behind. */
  addAll(definitions: Iterable<HookDefinition>): Undo
  /** The hooks of a skill's frontmatter, for as long as the skill runs. */
  registerSkill(definitions: Iterable<Omit<HookDefinition, 'scope'>>): Undo
  configure(settings: HookSettings): void
  /** What happens on an event, by any of its names. `during`: with the hooks that are there for it alone. */
  planFor(event: string, during?: string): Plan
  /** A `once` hook has succeeded in this session: it and its duplicates are gone, for good or for the session. */
  retire(hook: RegisteredHook, sessionId: string): void
  isRetired(hook: RegisteredHook, sessionId: string): boolean
  list(): readonly RegisteredHook[]
}

export interface RegistryOptions {
  /** A registry that serves one session forgets `once` hooks; one that serves many sessions remembers who has had them. */
  readonly oncePer?: 'registry' | 'session'
}

const MAX_SESSIONS = 10_000

export function createRegistry(ports: HookPorts = {}, { oncePer = 'registry' }: RegistryOptions = {}): Registry {
  const hooks = new Set<RegisteredHook>()
  const retired = new BoundedMap<string, Set<string>>(MAX_SESSIONS)
  const plans = new Map<string, Plan>()
  /** Events of one kind come in rows. */
  let latest: { readonly event: string; readonly during: string | undefined; readonly plan: Plan } | null = null
  let settings: HookSettings = {}

  function forgetPlans(): void {
    plans.clear()
    latest = null
  }

  function insert(added: readonly RegisteredHook[]): Undo {
    for (const hook of added) hooks.add(hook)
    forgetPlans()
    return () => remove(added)
  }

  function remove(gone: readonly RegisteredHook[]): void {
    for (const hook of gone) hooks.delete(hook)
    forgetPlans()
  }

  function remember(sessionId: string, identity: string): void {
    const had = retired.get(sessionId) ?? new Set()
    retired.set(sessionId, had.add(identity))
    // Sessions end without saying so; the oldest go first.
  }

  function addAll(definitions: Iterable<HookDefinition>): Undo {
    return insert(Array.from(definitions, definition => compileHook(definition, ports)))
  }

  function makePlan(event: string, during: string | undefined): Plan {
    const spec = findEvent(event)
    const name = spec?.name ?? event
    const own = [...hooks].filter(({ definition }) => definition.event === name && (definition.during ?? during) === during)
    return buildPlan(spec, own, settings)
  }

  return {
    ports,
    get settings() {
      return settings
    },
    add: definition => insert([compileHook(definition, ports)]),
    addAll,
    registerSkill: definitions => addAll(Array.from(definitions, definition => ({ ...definition, scope: 'skill' as const }))),
    configure(next) {
      settings = next
      forgetPlans()
    },
    planFor(event, during) {
      if (latest !== null && latest.event === event && latest.during === during) return latest.plan
      const key = during === undefined ? event : `${event} ${during}`
      const plan = plans.get(key) ?? makePlan(event, during)
      // Names come from outside: one that nobody knows and no hook is for is not worth keeping.
      if (plan.spec === null && plan.batches.length + plan.leftOut.length === 0) return plan
      plans.set(key, plan)
      latest = { event, during, plan }
      return plan
    },
    retire(hook, sessionId) {
      const identity = identifyHook(hook.definition)
      if (oncePer === 'session') return remember(sessionId, identity)
      remove([...hooks].filter(other => other.scope === hook.scope && identifyHook(other.definition) === identity))
    },
    isRetired: (hook, sessionId) => retired.size > 0 && retired.get(sessionId)?.has(identifyHook(hook.definition)) === true,
    list: () => [...hooks],
  }
}
