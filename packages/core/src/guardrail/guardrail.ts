// What a guardrail is: a name, a config, and ordinary inline hooks. Deleting one takes its file and its row in the table, nothing else.
import type { GUARDRAIL_NAMES } from '../hook/guardrail-names.ts'
import type { HookContext, InlineAnswer } from '../hook/hook-context.ts'
import type { ConfigReader } from './config-reader.ts'
import type { GuardrailPorts } from './guardrail-ports.ts'

export type GuardrailName = (typeof GUARDRAIL_NAMES)[number]

/** guide: what would be denied is only said to the model. */
export type GuardrailMode = 'strict' | 'guide' | 'off'

export const GUARDRAIL_MODES = ['strict', 'guide', 'off'] as const satisfies readonly GuardrailMode[]

export type GuardrailConfig = Readonly<Record<string, unknown>>

/** As in genesis.key: `{schema_guard: {mode: 'strict', tools: {...}}}`. */
export type GuardrailSettings = Readonly<Partial<Record<GuardrailName, GuardrailConfig>>>

export interface GuardrailHook {
  readonly event: string
  readonly run: (context: HookContext) => InlineAnswer | Promise<InlineAnswer>
  /** Names of tools, or the event's own matcher field; absent: every occurrence. */
  readonly matcher?: string
}

export interface Guardrail<Config> {
  readonly name: GuardrailName
  readonly description: string
  /** The events it listens to, first the one it is about. */
  readonly events: readonly string[]
  /** An untrusted policy may switch it on: it can only hold a call back or add a hint, and runs and removes nothing. */
  readonly isHarmless: boolean
  readConfig(reader: ConfigReader): Config
  createHooks(config: Config, ports: GuardrailPorts): readonly GuardrailHook[]
}
