// Claude's settings hooks, run by Belay for other agents where the policy asks for it (`hooks_from: [genesis, settings]`).
// Invariant: no double runs. Claude Code runs the hooks of its own files itself, so these never run on its events, and the line that
// `belay install` wrote into them is ours and never runs at all.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { HookDefinition } from '@belay/core'
import type { GenesisPolicy } from '@belay/core/policy'
import { activeDefinitions } from './dialect/active-definitions.ts'
import { loadConfig } from './dialect/load-config.ts'
import { readRegularFile } from './read-regular-file.ts'

export interface SettingsHooksOptions {
  readonly root: string
  readonly userHome: string
  readonly policies: readonly GenesisPolicy[]
}

const NOT_ITS_OWN = 'session.agent != "claude-code"'
const OWN_LINE = /--agent\s+claude-code\s+--event\s+\w+/

/** The files that are read when the policy opts in, whether they are there or not. */
export function settingsFiles({ root, userHome }: Pick<SettingsHooksOptions, 'root' | 'userHome'>): readonly string[] {
  return [join(userHome, '.claude', 'settings.json'), join(root, '.claude', 'settings.json'), join(root, '.claude', 'settings.local.json')]
}

export function settingsHooks(options: SettingsHooksOptions): readonly HookDefinition[] {
  // An untrusted policy cannot make anything run.
  const isWanted = options.policies.some(({ trusted, hooksFrom }) => trusted && hooksFrom?.includes('settings') === true)
  const isRefused = options.policies.some(({ hooksFrom }) => hooksFrom !== null && !hooksFrom.includes('settings'))
  if (!isWanted || isRefused) return []
  return settingsFiles(options)
    .filter(file => existsSync(file))
    .flatMap(file => activeDefinitions(loadConfig(readRegularFile(file), { path: file, dialect: 'claude', scope: 'session' })))
    .filter(({ handler }) => handler.type !== 'command' || !OWN_LINE.test(handler.command))
    .map(hook => ({ ...hook, condition: hook.condition === undefined ? NOT_ITS_OWN : `(${hook.condition}) && ${NOT_ITS_OWN}` }))
}
