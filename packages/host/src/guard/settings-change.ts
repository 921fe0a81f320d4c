// Settings that a running agent is about to take over. Whoever changed them, a person or a program that nobody judged (an archive, a branch, a
// script): what would switch our hooks off, weaken them, reach the shell of their lines before us, or have the agent run by itself what its
// rules do not allow, does not hold in this session. A person ends that with `belay uninstall`, or with a new session.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HookEvent } from '@belay/core'
import { type Agent, findAgent } from '@belay/core/adapter'
import { loadConfig } from '@belay/core/dialect'
import { isObject } from '@belay/core/value'
import { parse as parseJson } from 'jsonc-parser'
import { isOurCommand, SHIM_NAME } from '../agent/hook-command.ts'
import { checkSwitchFile } from '../install/check-switch.ts'
import { findLostEntries } from '../install/check-wiring.ts'
import { listRecords } from '../install/install-record.ts'
import type { ProjectGuard } from './project-guard.ts'

export interface SettingsGuard {
  readonly belayHome: string
  readonly userHome: string
  readonly root: string
  readonly judge: ProjectGuard['judge']
}

/** null: they may be taken over. */
export function whyRefuseSettings(event: HookEvent, guard: SettingsGuard): string | null {
  const agent = findAgent(event.agent)
  const { filePath } = event.fields
  if (agent === null || typeof filePath !== 'string') return null
  const wrong = checkSwitchFile(agent.id, filePath)[0]?.message ?? findLost(agent, filePath, guard)
  if (wrong !== undefined) return `${wrong}. In this session it does not hold; a person can take Belay out (belay uninstall ${agent.id})`
  return whyCommand(event, filePath, guard)
}

function findLost(agent: Agent, file: string, { belayHome, userHome, root }: SettingsGuard): string | undefined {
  const record = listRecords(belayHome).find(each => each.agent === agent.id && each.files.some(({ path }) => path === file))
  if (record === undefined) return undefined
  const shim = join(belayHome, 'bin', SHIM_NAME)
  const place = { scope: record.scope, env: {}, userHome, projectRoot: record.projectRoot ?? root, shim }
  return findLostEntries(file, agent, place)[0]
}

/** Commands that an agent runs by itself: its hooks, and what its settings name. */
function whyCommand(event: HookEvent, file: string, { judge }: SettingsGuard): string | null {
  for (const command of commandsOf(file)) {
    if (isOurCommand(command)) continue
    const { verdict } = judge({ tool: 'Bash', input: { command } }, event)
    if (verdict.decision === 'deny' || verdict.decision === 'ask')
      return `${file} has the agent run \`${command}\` by itself: ${verdict.reason}. In this session it does not hold; a person can start a new one`
  }
  return null
}

/** Members whose value is a command, or holds one. */
const RUN =
  'statusLine subagentStatusLine fileSuggestion apiKeyHelper awsAuthRefresh awsCredentialExport gcpAuthRefresh otelHeadersHelper'.split(' ')

function commandsOf(file: string): readonly string[] {
  try {
    const text = readFileSync(file, 'utf8')
    const hooks = loadConfig(text, { path: file }).hooks.flatMap(({ type, text: command }) => (type === 'command' ? [command] : []))
    const settings: unknown = file.endsWith('.json') ? parseJson(text) : null
    return [...hooks, ...(isObject(settings) ? RUN.flatMap(name => commandIn(settings[name])) : [])]
  } catch {
    // What is not there runs nothing.
    return []
  }
}

function commandIn(value: unknown): readonly string[] {
  const command = isObject(value) ? value.command : value
  return typeof command === 'string' && command !== '' ? [command] : []
}
