// Whether an agent's files say what `install` wrote into them.
import { existsSync, readFileSync } from 'node:fs'
import { type Agent, canonicalEvent } from '@belay/core/adapter'
import { loadConfig } from '../../config/dialect/load-config.ts'
import { hookCommand, isOurCommand } from '../hook-command.ts'
import { findHooks, findSetting } from '../hook-edit.ts'
import { isExecutable, isForeign } from '../install.ts'
import { readRecord, recordPath } from '../install-record.ts'
import { type InstallPlace, OWN_MARK, type Target, type TargetFile } from '../target.ts'
import type { Finding } from './finding.ts'

export interface Wiring {
  readonly findings: readonly Finding[]
  /** The line that the agent runs before a tool; null: it runs none of ours. */
  readonly gate: string | null
}

export function isInstalled(target: Target, place: InstallPlace): boolean {
  return target.files(place).some(file => existsSync(file.path) && hasOurs(file))
}

/** Installed by us and not taken out again, whatever its files say now. */
export function wasInstalled(target: Target, place: InstallPlace, home: string): boolean {
  return readRecord(recordPath(home, target.agent, place)) !== null
}

export function checkWiring(target: Target, agent: Agent, place: InstallPlace): Wiring {
  const remedy = `belay install ${agent.id}${place.scope === target.scopes[0] ? '' : ` --scope ${place.scope}`}`
  const findings: Finding[] = []
  const say = (state: Finding['state'], message: string, what: string = remedy) =>
    findings.push({ agent: agent.id, check: 'wiring', state, message, ...(state === 'ok' ? {} : { remedy: what }) })
  let gate: string | null = null
  for (const file of target.files(place)) {
    if (!existsSync(file.path)) {
      say('fail', `${file.path} is not there`)
      continue
    }
    if (isForeign(file)) {
      say('note', `${file.path} is not ours and stays: what it sees is not judged`, 'move it away and install again')
      continue
    }
    const text = readOrWhy(file.path)
    if (typeof text !== 'string') {
      say('fail', `${file.path} cannot be read: ${text.why}`, `see to it, then ${remedy}`)
      continue
    }
    if (file.kind === 'own') {
      if (text !== file.text) say('fail', `${file.path} is not as it was installed`)
      else if (file.mode !== undefined && !isExecutable(file.path)) say('fail', `${file.path} may not be run: ${agent.name} passes over it`)
      else say('ok', file.path)
      gate ??= hookCommand(place.shim, agent, gateEvent(agent))
      continue
    }
    gate ??= checkShared(file, { agent, text, remedy, say })
    findings.push(...checkSettings(file, text, agent))
  }
  return { findings, gate }
}

interface SharedCheck {
  readonly agent: Agent
  readonly text: string
  readonly remedy: string
  say(state: Finding['state'], message: string, remedy?: string): void
}

type SharedFile = Extract<TargetFile, { kind: 'shared' }>

function checkShared(file: SharedFile, { agent, text, remedy, say }: SharedCheck): string | null {
  const config = loadConfig(text, { path: file.path })
  if (config.parse === 'invalid') {
    const problem = config.diagnostics.find(({ severity }) => severity === 'error')
    say(
      'fail',
      `${file.path}:${problem?.place.line ?? 1} is broken: ${problem?.message ?? 'it cannot be read'}`,
      `correct it, then ${remedy}`,
    )
    return null
  }
  const found = findHooks(text, isOurCommand)
  const missing = file.hooks.entries.filter(({ event }) => !found.some(hook => hook.event === event)).map(({ event }) => event)
  if (config.skipped)
    say('fail', `${agent.name} skips all of ${file.path}: it is not strict JSON`, 'take the comments and trailing commas out')
  if (config.settings.disableAllHooks) say('fail', `${file.path} switches all hooks off (disableAllHooks)`, 'take disableAllHooks out')
  if (missing.length === file.hooks.entries.length) say('fail', `${file.path} has no hook of ours`)
  else if (missing.length > 0) say('fail', `${file.path} lacks our hook for ${missing.join(', ')}`)
  else say('ok', `${file.path}, ${found.length} events`)
  const expected = new Set(file.hooks.entries.flatMap(({ value }) => commandsOf(value)))
  if (found.some(({ command }) => !expected.has(command))) say('warn', `${file.path} has lines of another installation`)
  return found.find(({ event }) => canonicalEvent(agent.id, event) === 'PreToolUse')?.command ?? null
}

/** A courtesy, and a person may have one of their own. */
function checkSettings({ path, hooks }: SharedFile, text: string, { id }: Agent): readonly Finding[] {
  return Object.entries(hooks.settings ?? {}).map(([name, value]): Finding => {
    const command = findSetting(text, name)
    const finding = { agent: id, check: name }
    if (command !== null && commandsOf(value).includes(command)) return { ...finding, state: 'ok', message: path }
    const message =
      command === null
        ? `${path} has no ${name}: how full the context window is comes from transcripts only`
        : isOurCommand(command)
          ? `${path} has the ${name} of another installation`
          : `${path} has a ${name} of its own, which stays`
    return { ...finding, state: 'note', message, remedy: `belay install ${id}` }
  })
}

function hasOurs(file: TargetFile): boolean {
  const text = readOrWhy(file.path)
  if (typeof text !== 'string') return false
  return file.kind === 'own' ? text.includes(OWN_MARK) : findHooks(text, isOurCommand).length > 0
}

function readOrWhy(path: string): string | { readonly why: string } {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) }
  }
}

/** The agent's own name of PreToolUse, for agents whose hook is a program of ours. */
function gateEvent({ id }: Agent): string {
  const names: Readonly<Record<string, string>> = { opencode: 'tool.execute.before', pi: 'tool_call', git: 'pre-commit' }
  return names[id] ?? 'PreToolUse'
}

function commandsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(commandsOf) : []
}
