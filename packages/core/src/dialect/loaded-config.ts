// What a configuration file says, in one model for all dialects. Every entry knows its place.

import type { HookDefinition, Scope } from '../hook/hook-definition.ts'
import type { Rule, RuleEffect } from '../policy/rule.ts'
import type { Diagnostic, Place } from '../verdict/place.ts'
import type { DialectId } from './dialect.ts'
import type { ConfigFormat } from './parse-text.ts'
import type { HookShape } from './walk-hooks.ts'

interface HookEntry {
  /** As written. */
  readonly event: string
  readonly canonicalEvent: string
  readonly shape: HookShape
  /** Handler type as written; `none` where there is none. */
  readonly type: string
  /** The command, URL or prompt. */
  readonly text: string
  readonly matcher: string | null
  readonly name?: string
  readonly scope: Scope
  readonly place: Place
  /** It goes on beside the call and may stop what has begun (`asyncRewake`). */
  readonly wakes?: true
  /** Keys that no rule of ours reads, kept. */
  readonly extra: Readonly<Record<string, unknown>>
}

export interface ActiveHook extends HookEntry {
  readonly state: 'active'
  /** Null: its agent runs it, but Belay could not (Kiro's `askAgent`, Codex's `notify`, a matcher with a look-around). */
  readonly definition: HookDefinition | null
}

export interface InertHook extends HookEntry {
  readonly state: 'inert'
  readonly why: string
}

export type LoadedHook = ActiveHook | InertHook

export interface LoadedRule {
  readonly effect: RuleEffect
  /** As written; null where the rule is an object. */
  readonly text: string | null
  /** Null: it is no rule about tool calls (genesis 1.0 operations, objects) or it does not parse. */
  readonly rule: Rule | null
  readonly actor?: string
  /** The agent inside the file that it is for; absent: the whole file. */
  readonly agent?: string
  readonly value?: unknown
  readonly place: Place
}

/** `statusLine`, `fileSuggestion`: settings, not events. */
export interface CommandSetting {
  readonly command: string
  readonly place: Place
}

export interface LoadedReference {
  /** As written, relative to the plugin's root. */
  readonly path: string
  readonly place: Place
}

export interface LoadedConfig {
  readonly dialect: DialectId
  readonly format: ConfigFormat
  readonly parse: 'strict' | 'tolerant' | 'invalid'
  /** Its agent skips the whole file (strict JSON): nothing in it is in effect. */
  readonly skipped: boolean
  readonly hooks: readonly LoadedHook[]
  readonly groups: number
  /** How often each event key occurs. */
  readonly events: ReadonlyMap<string, number>
  readonly permissions: readonly LoadedRule[]
  readonly references: readonly LoadedReference[]
  readonly statusLine?: CommandSetting
  readonly fileSuggestion?: CommandSetting
  readonly settings: { readonly disableAllHooks: boolean; readonly allowManagedHooksOnly: boolean }
  readonly diagnostics: readonly Diagnostic[]
}
