// Holds the hooks. Adding gives back its undo, so that a session, a skill or a file that ends takes its hooks with it.
import { findEvent } from '../event/table.ts'
import type { HookDefinition } from '../hook/hook-definition.ts'
import { identifyHook } from './hook-identity.ts'
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
  /** What happens on an event, by any of its names. */
  planFor(event: string): Plan
  /** A `once` hook has succeeded in this session: it and its duplicates are gone, for good or for the session. */
  retire(hook: RegisteredHook, sessionId: string): void
  isRetired(hook: RegisteredHook, sessionId: string): boolean
  list(): readonly RegisteredHook[]
}

export interface RegistryOptions {
  /** A registry that serves one session forgets `once` hooks; one that serves many sessions remembers who has had them. */
  readonly oncePer?: 'registry' | 'session'
}

const MOST_SESSIONS = 10_000

export function createRegistry(ports: HookPorts = {}, { oncePer = 'registry' }: RegistryOptions = {}): Registry {
  const hooks = new Set<RegisteredHook>()
  const retired = new Map<string, Set<string>>()
  const plans = new Map<string, Plan>()
  /** Events of one kind come in rows. */
  let latest: { readonly event: string; readonly plan: Plan } | null = null
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
    if (retired.size > MOST_SESSIONS) retired.delete(retired.keys().next().value ?? '')
  }

  function addAll(definitions: Iterable<HookDefinition>): Undo {
    return insert(Array.from(definitions, definition => compileHook(definition, ports)))
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
    planFor(event) {
      if (latest !== null && latest.event === event) return latest.plan
      const known = plans.get(event)
      if (known !== undefined) {
        latest = { event, plan: known }
        return known
      }
      const spec = findEvent(event)
      const name = spec?.name ?? event
      const own = [...hooks].filter(hook => hook.definition.event === name)
      const plan = buildPlan(spec, own, settings)
      // Names come from outside: one that nobody knows and no hook is for is not worth keeping.
      if (spec !== null || own.length > 0) plans.set(event, plan)
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
