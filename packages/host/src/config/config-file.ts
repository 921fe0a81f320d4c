// config.toml: every key that there is, its type, and the name the program uses. A key that is not here is an error with its place.

import { readFileSync } from 'node:fs'
import { listAgents } from '@belay/core/adapter'
import { type Diagnostic, parseDuration } from '@belay/core/policy'
import { errorText } from '@belay/core/value'
import { agentName } from './agent-name.ts'
import { openToml, type TomlReader, tableReader } from './config-file-toml.ts'

export interface Config {
  readonly port?: number
  /** Name of the person at this machine, for `human:<name>`. */
  readonly person?: string
  readonly retention?: { readonly bodiesDays?: number; readonly eventsDays?: number; readonly entriesDays?: number }
  /** Where checkpoints go beside the home: files, repositories, webhooks. */
  readonly ledger?: { readonly export?: readonly string[] }
  readonly hooks?: {
    readonly disableAllHooks?: boolean
    readonly allowManagedHooksOnly?: boolean
    readonly modifyFrom?: 'any' | 'policy'
  }
  readonly agents?: Readonly<Record<string, AgentConfig>>
  readonly approvals?: { readonly expiryMs?: number; readonly webhook?: string; readonly notify?: 'desktop' }
  readonly llm?: {
    readonly provider?: string
    readonly model?: string
    readonly baseUrl?: string
    readonly dailyBudget?: number
    /** US dollars for a million tokens of `model`. */
    readonly inputPrice?: number
    readonly outputPrice?: number
  }
  readonly directives?: { readonly names?: readonly string[]; readonly budget?: number }
  readonly httpHooks?: { readonly allow?: readonly string[] }
  readonly statusline?: { readonly command?: string }
  readonly fileSuggestion?: { readonly command?: string }
}

export interface AgentConfig {
  readonly actor?: string
  readonly contextWindow?: number
  readonly holdMs?: number
}

export type ReadConfig = { readonly ok: true; readonly config: Config } | { readonly ok: false; readonly errors: readonly Diagnostic[] }

export function readConfig(path: string): ReadConfig {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { ok: true, config: {} }
    const message = `cannot be read: ${errorText(error)}`
    return { ok: false, errors: [{ severity: 'error', message, place: { file: path, line: 1, column: 1 } }] }
  }
  return parseConfig(text, path)
}

export function parseConfig(text: string, file: string): ReadConfig {
  const opened = openToml(text, file)
  if (!opened.ok) return { ok: false, errors: [opened.error] }
  const config = readRoot(tableReader(opened.source))
  const { problems } = opened.source
  return problems.length > 0 ? { ok: false, errors: problems } : { ok: true, config }
}

/** Also read by config-schema.ts, with a reader that notes what is asked for. */
export function readRoot(root: TomlReader): Config {
  root.refuse('telemetry', 'there is no telemetry: Belay sends nothing anywhere unless a hook of yours does')
  const config: Config = {
    ...root.integer('port', { least: 1, most: 65535 }),
    ...root.text('person'),
    ...root.table('retention', 'retention', table => ({
      ...table.integer('bodies_days', { least: 1 }, 'bodiesDays'),
      ...table.integer('events_days', { least: 1 }, 'eventsDays'),
      ...table.integer('entries_days', { least: 1 }, 'entriesDays'),
    })),
    ...root.table('ledger', 'ledger', table => table.texts('export')),
    ...root.table('hooks', 'hooks', table => ({
      ...table.flag('disable_all_hooks', 'disableAllHooks'),
      ...table.flag('allow_managed_hooks_only', 'allowManagedHooksOnly'),
      ...table.choice('modify_from', ['any', 'policy'], 'modifyFrom'),
    })),
    ...root.tables(
      'agents',
      listAgents().map(agent => agent.id),
      table => ({
        ...table.converted('actor', 'actor', readRole, 'the name of a role, such as "reviewer" or "agent:reviewer"'),
        ...table.integer('context_window', { least: 1 }, 'contextWindow'),
        ...table.integer('hold_ms', { least: 0 }, 'holdMs'),
      }),
    ),
    ...root.table('approvals', 'approvals', table => ({
      ...table.converted('expiry', 'expiryMs', parseDuration, 'a duration such as "30m"'),
      ...table.text('webhook'),
      ...table.choice('notify', ['desktop'], 'notify'),
    })),
    ...root.table('llm', 'llm', table => ({
      ...table.text('provider'),
      ...table.text('model'),
      ...table.text('base_url', 'baseUrl'),
      ...table.number('daily_budget', 'dailyBudget'),
      ...table.number('input_price', 'inputPrice'),
      ...table.number('output_price', 'outputPrice'),
    })),
    ...root.table('directives', 'directives', table => ({ ...table.texts('names'), ...table.integer('budget', { least: 0 }) })),
    ...root.table('http_hooks', 'httpHooks', table => table.texts('allow')),
    ...root.table('statusline', 'statusline', table => table.text('command')),
    ...root.table('file_suggestion', 'fileSuggestion', table => table.text('command')),
  }
  root.reportUnknown()
  return config
}

/** An agent is never a person. */
function readRole(value: unknown): string | null {
  return typeof value === 'string' ? agentName(value) : null
}
