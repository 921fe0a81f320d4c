// `belay config inspect`: what a configuration file holds and what its own agent would make of it. Counts describe the text; `active` and
// `inert` describe the agent. A broken file is reported, never refused.
import type { DialectId, LoadedConfig, LoadedHook } from '@belay/core/dialect'
import { loadConfig } from '@belay/core/dialect'

export interface InspectOptions {
  readonly path?: string
  readonly dialect?: DialectId
}

export interface InspectedHook {
  readonly event: string
  readonly type: string
  readonly matcher: string | null
  readonly text: string
  readonly name?: string
  readonly scope: string
  readonly timeoutMs?: number
  readonly line: number
  readonly column: number
}

export interface InspectedDiagnostic {
  readonly severity: 'error' | 'warning' | 'info'
  readonly line: number
  readonly column: number
  readonly message: string
  readonly remedy?: string
}

export interface Inspection {
  readonly dialect: DialectId
  readonly parse: 'strict' | 'tolerant' | 'invalid'
  readonly hooks: number
  readonly groups: number
  readonly events: Readonly<Record<string, number>>
  /** Rules of the whole file; those of one agent inside it are loaded but not counted. */
  readonly permissions: { readonly allow: number; readonly deny: number; readonly ask: number }
  readonly active: readonly InspectedHook[]
  readonly inert: readonly (InspectedHook & { readonly why: string })[]
  readonly diagnostics: readonly InspectedDiagnostic[]
}

export function inspectConfig(text: string | Uint8Array, options: InspectOptions = {}): Inspection {
  const config = loadConfig(text, options)
  return {
    dialect: config.dialect,
    parse: config.parse,
    hooks: config.hooks.length,
    groups: config.groups,
    events: Object.fromEntries(config.events),
    permissions: countRules(config),
    active: config.hooks.flatMap(hook => (hook.state === 'active' ? [inspectHook(hook)] : [])),
    inert: config.hooks.flatMap(hook => (hook.state === 'inert' ? [{ ...inspectHook(hook), why: hook.why }] : [])),
    diagnostics: config.diagnostics.map(({ severity, message, remedy, place: { line, column } }) => ({
      severity,
      line,
      column,
      message,
      ...(remedy === undefined ? {} : { remedy }),
    })),
  }
}

function countRules({ permissions }: LoadedConfig): Inspection['permissions'] {
  const count = { allow: 0, deny: 0, ask: 0 }
  for (const { effect, agent } of permissions) if (agent === undefined) count[effect] += 1
  return count
}

function inspectHook(hook: LoadedHook): InspectedHook {
  const { event, type, matcher, text, name, scope, place } = hook
  const timeoutMs = hook.state === 'active' ? hook.definition?.timeoutMs : undefined
  return {
    event,
    type,
    matcher,
    text,
    ...(name === undefined ? {} : { name }),
    scope,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    line: place.line,
    column: place.column,
  }
}
