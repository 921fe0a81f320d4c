// How hooks are put into the files of agents: most keep them in a JSON file that others write too.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Agent, type AgentId, agentEvents, findAgent } from '@belay/core/adapter'
import { hookCommand, timingOf } from './hook-command.ts'
import { ownCommand } from './own-program.ts'
import type { AddOptions, HookEntry, InstallPlace, SettingName, Target, TargetFile } from './target.ts'

export type Spell = (agent: Agent, event: string, command: string) => Readonly<Record<string, unknown>>

/** Claude's shape: a group without a matcher, which means every tool. */
export const group: Spell = (agent, event, command) => ({ hooks: [{ type: 'command', command, timeout: timeout(agent, event) }] })

export interface SharedFile {
  user(place: Omit<InstallPlace, 'shim' | 'scope'>): string
  project(place: Omit<InstallPlace, 'shim' | 'scope'>): string
  /** Folder below the home whose presence says that the agent is used; default: the one of the file. */
  readonly sign?: string
  readonly events?: readonly string[]
  readonly spell: Spell
  readonly beside?: Readonly<Record<string, unknown>>
  /** It reads a file that begins with a byte order mark; of others nobody has seen that. */
  readonly readsMark?: boolean
  /** The verb of ours that each setting runs. */
  readonly settings?: Readonly<Record<SettingName, Parameters<typeof ownCommand>[1]>>
}

/** Our hooks go into a file that others write too. */
export function shared(id: AgentId, file: SharedFile): Target {
  return {
    agent: id,
    scopes: ['user', 'project'],
    isPresent: place => existsSync(file.sign === undefined ? join(file.user(place), '..') : join(place.userHome, file.sign)),
    files: place => [
      {
        kind: 'shared',
        path: place.scope === 'user' ? file.user(place) : file.project(place),
        hooks: hooksOf(id, file, place),
        readsMark: file.readsMark === true,
      },
    ],
  }
}

/** The files are ours alone. */
export function owned(id: AgentId, sign: string, files: (place: InstallPlace) => readonly TargetFile[]): Target {
  return { agent: id, scopes: ['user', 'project'], isPresent: ({ userHome }) => existsSync(join(userHome, sign)), files }
}

/** Of the user or of the project, as asked for. */
export function inScope({ scope, userHome, projectRoot }: InstallPlace, ...parts: readonly string[]): string {
  return join(scope === 'user' ? userHome : projectRoot, ...parts)
}

export function timeout(agent: Agent, event: string): number {
  return inTimeUnit(agent, timingOf(agent, event).timeoutMs)
}

/** In the unit that the agent's file takes. Whole: some agents drop a file for a fraction, and say nothing. */
export function inTimeUnit({ timeUnit }: Agent, ms: number): number {
  return timeUnit === 'ms' ? ms : Math.ceil(ms / 1000)
}

export function eventsOf(id: AgentId): readonly string[] {
  return agentEvents(agentOf(id))
}

export function agentOf(id: AgentId): Agent {
  const agent = findAgent(id)
  if (agent === null) throw new Error(`no agent ${id}`)
  return agent
}

function hooksOf(id: AgentId, file: SharedFile, place: InstallPlace): AddOptions {
  const { events, spell, beside } = file
  const agent = agentOf(id)
  const known = agentEvents(agent, place.version)
  const entries: HookEntry[] = (events?.filter(event => known.includes(event)) ?? known).map(event => ({
    event,
    value: spell(agent, event, hookCommand(place.shim, agent, event)),
  }))
  return { entries, ...(beside === undefined ? {} : { beside }), ...settingsOf(file, place) }
}

/** A person's own, never a project's: what a project sets would take the place of what each of its people has. */
function settingsOf(
  { settings }: SharedFile,
  { scope, shim, settings: wanted = ['statusLine'] }: InstallPlace,
): Pick<AddOptions, 'settings'> {
  if (settings === undefined || scope !== 'user') return {}
  const home = dirname(dirname(shim))
  return { settings: Object.fromEntries(wanted.map(name => [name, { type: 'command', command: ownCommand(home, settings[name]) }])) }
}
