// What one genesis.key says, after every check: the value that loaders hand to the engine, the guards and the ledger.
import type { HookDefinition } from '../../hook/hook-definition.ts'
import type { Diagnostic, Place } from '../../verdict/place.ts'
import type { DefaultDecision, Rule } from '../rule.ts'

export interface GenesisPolicy {
  readonly file: string
  readonly version: '1.0' | '2.0'
  /** SHA-256 of the file's bytes. */
  readonly hash: string
  /** An untrusted policy can only tighten. The loader decides; parsing alone trusts. */
  readonly trusted: boolean
  /** The policy of a team holds on this machine: what this file allows does not. Its hooks run. */
  readonly isUnderTeam?: boolean
  /** Where hooks may come from; null: every source. */
  readonly hooksFrom: readonly HookSource[] | null
  readonly hooks: readonly HookDefinition[]
  /** null: the file has no `permissions` section. */
  readonly permissions: GenesisPermissions | null
  /** Who may do what with commitments (1.0). */
  readonly operations: readonly OperationGrant[]
  readonly guards: readonly Guard[]
  readonly guardrails: readonly GuardrailSetting[]
  /** What tools that nobody described are. */
  readonly tools: readonly NamedTool[]
  /** Sections that other parts read as they are. */
  readonly sections: Readonly<Partial<Record<DataSection, Readonly<Record<string, unknown>>>>>
}

export const HOOK_SOURCES = ['genesis', 'hooks_toml', 'settings', 'plugin', 'skill'] as const
export type HookSource = (typeof HOOK_SOURCES)[number]

export const DATA_SECTIONS = [
  'genesis',
  'workspace',
  'identity',
  'constitution',
  'tiers',
  'actors',
  'constraints',
  'trust_gradient',
  'federation',
  'lineage',
] as const
export type DataSection = (typeof DATA_SECTIONS)[number]

export interface GenesisPermissions {
  readonly default: DefaultDecision
  readonly actors: readonly ActorBlock[]
}

export interface ActorBlock {
  /** A name (`agent:executor`, `Ada Byron`, `ada@example.com`) or a glob (`agent:*`). */
  readonly actor: string
  readonly role: string | null
  readonly allow: readonly Rule[]
  readonly ask: readonly Rule[]
  readonly deny: readonly Rule[]
  readonly place: Place
}

/** 1.0: these actors may, or may not, do this operation on commitments. */
export interface OperationGrant {
  /** Listed under the actor, of whom the best match counts, or under the operation, where any match does. */
  readonly by: 'actor' | 'operation'
  readonly operation: string
  readonly effect: 'allow' | 'deny'
  readonly actor: string
  readonly place: Place
}

export const GUARD_TRIGGERS = ['heartbeat', 'contextThreshold', 'lifecycle', 'phase', 'noEffort', 'toolPattern'] as const

export interface Guard {
  readonly id: string
  readonly trigger: {
    readonly type: (typeof GUARD_TRIGGERS)[number]
    /** CEL; for `toolPattern` a pattern. */
    readonly condition: string | null
  }
  readonly text: string
  readonly urgency: 'block' | 'warn' | 'inject'
  readonly inject: 'always' | 'once'
  readonly priority: number
  /** What a blocked agent may still do. */
  readonly whitelist: readonly Rule[]
  readonly place: Place
}

export interface NamedTool {
  readonly name: string
  /** A known tool. */
  readonly as: string
  readonly place: Place
}

export interface GuardrailSetting {
  readonly name: string
  readonly config: Readonly<Record<string, unknown>>
  readonly place: Place
}

export type GenesisParse =
  | { readonly ok: true; readonly policy: GenesisPolicy; readonly warnings: readonly Diagnostic[] }
  /** Every error, not only the first; warnings follow the errors. */
  | { readonly ok: false; readonly errors: readonly Diagnostic[]; readonly warnings: readonly Diagnostic[] }
