// The hooks in agents' own settings, run by Belay for the other agents where the policy asks for it (`hooks_from: [genesis, settings]`).
// Invariant: no double runs. An agent runs the hooks of its own files itself, so these never run on its events, and the lines that
// `belay install` wrote into them are ours and never run at all.
import { readdirSync } from 'node:fs'
import type { HookDefinition } from '@belay/core'
import type { AgentId } from '@belay/core/adapter'
import type { LoadedConfig } from '@belay/core/dialect'
import type { ParsedHooks } from './hook-file.ts'
import { shareMatcher } from './shared-matcher.ts'
import { type TrustStore, trustedNames } from './trust.ts'

export interface SettingsPlace {
  readonly root: string
  readonly userHome: string
  readonly trust: TrustStore
}

/** Sorted, with what was trusted there and is gone. A folder that cannot be read holds nothing else that could be run. */
export function listFolder(folder: string, trust: TrustStore): readonly string[] {
  return [...new Set([...namesIn(folder), ...trustedNames(trust, folder)])].sort()
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}

const OWN_LINE = /--agent\s+\S+\s+--event\s+\S+/

/** The hooks of a file that belongs to `agent`, for everybody else. */
export function shareHooks(config: LoadedConfig, agent: AgentId): ParsedHooks {
  const hooks = config.hooks.flatMap(hook => {
    if (hook.state === 'inert' || hook.definition === null || isOwnLine(hook.definition)) return []
    return [notFor(agent, shareMatcher(hook.definition, agent, hook.event))]
  })
  // One hook that is wrong is its agent's business; a text that nobody can read is ours.
  const diagnostics = config.diagnostics.map(each =>
    config.parse === 'invalid' || each.severity !== 'error' ? each : { ...each, severity: 'warning' as const },
  )
  return { hooks, settings: {}, diagnostics }
}

function isOwnLine({ handler }: HookDefinition): boolean {
  return handler.type === 'command' && OWN_LINE.test([handler.command, ...(handler.args ?? [])].join(' '))
}

function notFor(agent: AgentId, hook: HookDefinition): HookDefinition {
  const others = `session.agent != "${agent}"`
  return { ...hook, condition: hook.condition === undefined ? others : `(${hook.condition}) && ${others}` }
}
